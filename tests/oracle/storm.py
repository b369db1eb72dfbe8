"""Storm: reads models of the command, solves them, and writes them back."""

import stormpy
from stormpy.environments import Environment, MinMaxMethod
from stormpy.io import UmbImportOptions, export_to_umb

PRECISION = stormpy.Rational("1/1000000000000")


def optimal_values(model, gamma):
    """The best discounted reward from a state, as a function of it, by value iteration to 1e-12."""
    environment = Environment()
    solver = environment.solver().min_max()
    solver.method = MinMaxMethod.VALUE_ITERATION
    solver.precision = PRECISION
    solver.relative_termination_criterion = False
    formula = stormpy.parse_property(f"Rmax=? [ Cdiscount={gamma!r} ]")
    found = stormpy.model_checking(model, formula, environment=environment)
    return found.get_value


def read_umb(path):
    options = UmbImportOptions()
    options.build_state_valuations = False
    return stormpy.build_model_from_umb(str(path), options=options)


def read_text(path):
    """The files beside `path`, in the form that Storm reads."""
    return stormpy.build_model_from_explicit(
        str(path),
        str(path.with_suffix(".lab")),
        transition_rewards=str(path.with_suffix(".rew")),
    )


def write_umb(model, path):
    export_to_umb(model, str(path))
    return path
