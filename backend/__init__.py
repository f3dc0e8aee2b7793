"""The engine of AICO: one process that owns every store of one home folder."""
