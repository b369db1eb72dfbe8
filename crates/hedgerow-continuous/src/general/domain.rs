//! Continuous worlds of any kind as a domain of sweeps.

use super::settings::PARAMETERS;
use super::strategy::STRATEGIES;
use super::world::{DOMAIN, OpenWorld};
use crate::car::{self, CarWorld};
use crate::world::ContinuousWorld;
use crate::{Error, Result};
use hedgerow::domain::{Domain, World};
use hedgerow::explore::StrategyInfo;
use hedgerow::param::Parameter;
use std::sync::Arc;

/// The car's worlds, and others that were added.
#[derive(Clone, Debug, Default)]
pub struct GeneralDomain {
    added: Vec<Arc<dyn ContinuousWorld>>,
}

impl GeneralDomain {
    /// The domain with one more world, opened by its name.
    pub fn with_world(mut self, world: Arc<dyn ContinuousWorld>) -> Self {
        self.added.push(world);
        self
    }

    fn find(&self, source: &str) -> Option<Arc<dyn ContinuousWorld>> {
        let added = self.added.iter().find(|w| w.spec().name == source);
        added.cloned().or_else(|| {
            let world = CarWorld::named(source)?;
            Some(Arc::new(world))
        })
    }

    fn require(&self, source: &str) -> Result<Arc<dyn ContinuousWorld>> {
        self.find(source).ok_or_else(|| {
            Error::invalid(
                source,
                "there is no such world",
                format!("use one of {}", self.environments().join(", ")),
            )
        })
    }
}

impl Domain for GeneralDomain {
    fn name(&self) -> &'static str {
        DOMAIN
    }

    fn summary(&self) -> &'static str {
        "continuous worlds of any kind, learned with networks: a car on a road"
    }

    fn environments(&self) -> Vec<String> {
        let built_in = car::NAMES.iter().map(|(name, _)| (*name).to_owned());
        let added = self.added.iter().map(|w| w.spec().name.clone());
        built_in.chain(added).collect()
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn strategies(&self) -> Vec<StrategyInfo> {
        STRATEGIES.iter().map(|s| s.info).collect()
    }

    fn recognises(&self, source: &str) -> Result<bool> {
        Ok(self.find(source).is_some())
    }

    fn definition(&self, source: &str) -> Result<String> {
        let world = self.require(source)?;
        let spec = world.spec();
        Ok(format!(
            "# A continuous world in code: {} numbers are observed, {} are chosen.\nname = \"{}\"\nversion = \"{}\"\ngamma = {}\nhorizon = {}\n",
            spec.observation.len(),
            spec.action.len(),
            spec.name,
            world.version(),
            spec.gamma,
            spec.horizon
        ))
    }

    fn open(&self, source: &str) -> Result<Arc<dyn World>> {
        Ok(Arc::new(OpenWorld::new(self.require(source)?)?))
    }
}
