"""An expert crosses FrozenLake by a rule nobody wrote down. Which one?"""

import gymnasium

import hedgerow

model = hedgerow.Model.from_gymnasium(gymnasium.make("FrozenLake-v1"), gamma=0.95)
rule = [(8, 3), (14, 1)]  # hidden: never "up" on square 8, never "down" on square 14
lake = model.with_rule(rule, name="lake", shape=(4, 4))  # its expert is the best that keeps to the rule
print(f"the expert earns {lake.expert_reward:.3f}; without a rule it would be {model.solve().value:.3f}")

found = hedgerow.infer(lake, samples=400_000)  # acts, asks the expert, never sees the rule
print("looks constrained:", found.looks_constrained)
assert found.looks_constrained == rule

kept = model.solve(allowed=~found.mask(model, estimates=True))
print(f"the best policy that keeps to what was found earns {kept.value:.3f}")
