package io.fairlead.schema.managed;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;

/** An applied configuration changes fields that others manage, and the client did not ask to take them (409). */
public final class ApplyConflictException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** How many fields are named. */
    private static final int NAMED_MAX = 1_000;

    private final transient List<Conflict> conflicts;

    /**
     * One field.
     *
     * @param manager who manages it, as in messages
     * @param path the field, as in messages
     */
    public record Conflict(String manager, String path) {
        public String message() {
            return "conflict with " + manager;
        }
    }

    ApplyConflictException(NavigableMap<Manager, FieldSet> taken) {
        this(conflicts(taken), taken.values().stream().mapToInt(FieldSet::size).sum());
    }

    private ApplyConflictException(List<Conflict> named, int all) {
        super(message(named, all), null, false, false);
        this.conflicts = named;
    }

    /** The first of them. */
    public List<Conflict> conflicts() {
        return conflicts;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }

    private static List<Conflict> conflicts(NavigableMap<Manager, FieldSet> taken) {
        List<Conflict> conflicts = new ArrayList<>();
        taken.forEach((manager, fields) -> fields.forEachPath(path -> {
            if (conflicts.size() < NAMED_MAX) {
                conflicts.add(new Conflict(manager.toString(), path.toString()));
            }
            return conflicts.size() < NAMED_MAX;
        }));
        return List.copyOf(conflicts);
    }

    /** One in a line, several grouped by manager (apimachinery {@code managedfields/internal/conflict.go}). */
    private static String message(List<Conflict> named, int all) {
        if (all == 1) {
            Conflict only = named.getFirst();
            return "Apply failed with 1 conflict: " + only.message() + ": " + only.path();
        }
        List<String> lines = new ArrayList<>();
        String manager = "";
        for (Conflict conflict : named) {
            if (!conflict.manager().equals(manager)) {
                manager = conflict.manager();
                lines.add("conflicts with " + manager + ":");
            }
            lines.add("- " + conflict.path());
        }
        if (all > named.size()) {
            lines.add("and " + (all - named.size()) + " more");
        }
        return "Apply failed with " + all + " conflicts: " + String.join("\n", lines);
    }
}
