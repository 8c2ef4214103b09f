package io.fairlead.cli.types;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ServerOptions;
import io.fairlead.model.ClusterName;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The sources of types for commands, each a word for its kind, a colon and its place ({@code file:crd.yaml}). */
final class TypeSources {
    /** The forms for {@link #of}, for people. */
    static final String EXPECTED = "file:FILE, dir:FOLDER, cluster:ID, " + PackageSource.EXPECTED;

    private final ServerOptions server;

    /**
     * Parses the command line.
     *
     * @param server the server, if a source needs one
     */
    TypeSources(ServerOptions server) {
        this.server = server;
    }

    /** Parses a source; reads nothing yet. */
    TypeSource of(String text) throws CommandFailure {
        int colon = text.indexOf(':');
        String place = text.substring(colon + 1);
        if (colon < 0 || place.isEmpty()) {
            throw unknown(text);
        }
        return switch (text.substring(0, colon)) {
            case "file" -> new FileTypes(path(place));
            case "dir" -> new FolderTypes(path(place));
            case "cluster" -> new ClusterTypes(cluster(place), server);
            case "oci-layout", "tarball", "xpkg" -> new PackageTypes(PackageSource.of(text));
            default -> throw unknown(text);
        };
    }

    private static Path path(String text) throws CommandFailure {
        try {
            return Path.of(text);
        } catch (InvalidPathException invalid) {
            throw CommandFailure.usage(
                    "path \"" + text + "\": " + invalid.getReason(), "expected a path of this machine");
        }
    }

    private static ClusterName cluster(String id) throws CommandFailure {
        try {
            return new ClusterName(id);
        } catch (IllegalArgumentException invalid) {
            throw CommandFailure.usage(String.valueOf(invalid.getMessage()), "'fairlead cluster list' lists them");
        }
    }

    private static CommandFailure unknown(String text) {
        return CommandFailure.usage("\"" + text + "\" names no source of types", "expected " + EXPECTED);
    }
}
