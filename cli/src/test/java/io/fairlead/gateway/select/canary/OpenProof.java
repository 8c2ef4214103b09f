package io.fairlead.gateway.select.canary;

/** Can be made anywhere, as a record that is public can: the rule for proofs must name it. */
public record OpenProof(String target) {}
