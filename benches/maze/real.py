"""Steps per second of processor time of the real PointMaze: random actions held for 10 steps, episodes of 300."""

import sys
import time

import gymnasium
import gymnasium_robotics

HOLD, EPISODE = 10, 300

gymnasium.register_envs(gymnasium_robotics)
env = gymnasium.make("PointMaze_UMaze-v3", max_episode_steps=EPISODE)
env.reset(seed=0)
env.action_space.seed(0)


def episode():
    """One episode; how many steps it took."""
    env.reset()
    for step in range(EPISODE):
        if step % HOLD == 0:
            action = env.action_space.sample()
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            break
    return step + 1


episode()
seconds = float(sys.argv[1])
steps, start, before = 0, time.perf_counter(), time.process_time()
while time.perf_counter() - start < seconds:
    steps += episode()
print(round(steps / (time.process_time() - before)))
