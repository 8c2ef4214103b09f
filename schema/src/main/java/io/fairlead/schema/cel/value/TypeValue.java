package io.fairlead.schema.cel.value;

/** The type of a value, itself a value ({@code type(1) == int}). */
public record TypeValue(String name) {}
