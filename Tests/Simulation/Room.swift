// Simulation.
