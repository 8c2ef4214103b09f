package io.fairlead.cli.types;

import io.fairlead.cli.types.LockFinding.Result;
import io.fairlead.schema.compare.Difference;
import io.fairlead.schema.compare.TypeComparison;
import io.fairlead.schema.compare.VersionComparison;
import io.fairlead.schema.digest.CanonicalType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compares a lock with the actual types. Types outside the lock are ignored.
 *
 * <p>Another digest is a difference, whatever its effect. An equal digest matches only if the whole type is understood:
 * servers may treat an unknown keyword differently.
 */
final class LockVerification {
    private final List<LockFinding> findings = new ArrayList<>();

    /** The differences, and the parts that cannot be compared. */
    List<LockFinding> findings() {
        return findings;
    }

    /** Compares one cluster or package. */
    void verify(String where, LockedTypes locked, LockedTypes found) {
        if (!locked.digest().equals(found.digest())) {
            findings.add(
                    new LockFinding(Result.DIFFERENT, where, "", "", "", "digest", locked.digest(), found.digest()));
        }
        locked.types().forEach((name, type) -> verify(where, name, type, found));
        locked.undetermined().forEach((name, why) -> {
            if (!locked.types().containsKey(name)) {
                verifyUndetermined(where, name, why, found);
            }
        });
    }

    private void verify(String where, String name, CanonicalType locked, LockedTypes holder) {
        CanonicalType found = holder.types().get(name);
        if (found == null) {
            String now = holder.undetermined().getOrDefault(name, "");
            findings.add(new LockFinding(Result.DIFFERENT, where, name, "", "spec", "definition", digest(locked), now));
        } else if (!digest(locked).equals(digest(found))) {
            addDifferences(where, name, locked, found);
        } else if (holder.undetermined().containsKey(name)) {
            addUnknown(where, name, holder.undetermined().getOrDefault(name, ""));
        }
    }

    private void addDifferences(String where, String name, CanonicalType locked, CanonicalType found) {
        int before = findings.size();
        TypeComparison comparison = TypeComparison.of(locked, found);
        comparison.differences().forEach(add(where, name, ""));
        for (VersionComparison version : comparison.versions()) {
            version.differences().forEach(add(where, name, version.name()));
        }
        if (findings.size() == before) {
            findings.add(
                    new LockFinding(Result.DIFFERENT, where, name, "", "spec", "api", digest(locked), digest(found)));
        }
    }

    private Consumer<Difference> add(String where, String name, String version) {
        return difference -> findings.add(new LockFinding(
                Result.DIFFERENT,
                where,
                name,
                version,
                difference.path(),
                difference.rule(),
                text(difference.before()),
                text(difference.after())));
    }

    private void verifyUndetermined(String where, String name, String why, LockedTypes holder) {
        if (holder.undetermined().containsKey(name) || holder.types().containsKey(name)) {
            addUnknown(where, name, why);
        } else {
            findings.add(new LockFinding(Result.DIFFERENT, where, name, "", "spec", "definition", why, ""));
        }
    }

    private void addUnknown(String where, String name, String why) {
        findings.add(new LockFinding(Result.UNKNOWN, where, name, "", "spec", "definition", why, why));
    }

    private static String digest(CanonicalType type) {
        return type.digest().text();
    }

    private static String text(@Nullable JsonNode value) {
        if (value == null) {
            return "";
        }
        return value.isString() ? value.stringValue() : value.toString();
    }
}
