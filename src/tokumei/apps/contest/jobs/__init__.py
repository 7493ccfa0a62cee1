"""Work that survives being killed: the queue, the worker, limits on a judgement."""
