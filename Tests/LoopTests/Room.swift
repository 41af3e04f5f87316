// LoopTests.
