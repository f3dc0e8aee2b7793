"""The terminal commands of `aico`: thin clients of the contract."""
