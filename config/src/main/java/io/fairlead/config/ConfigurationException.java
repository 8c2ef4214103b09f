package io.fairlead.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used; carries every problem that was found. */
public final class ConfigurationException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    public ConfigurationException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}
