"""Run the process that has the devices: what it is made of, how it starts, how it is watched."""
