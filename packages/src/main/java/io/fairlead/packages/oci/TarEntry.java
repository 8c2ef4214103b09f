package io.fairlead.packages.oci;

import java.util.ArrayList;
import java.util.List;

/**
 * An entry of an archive.
 *
 * @param path names joined by slashes, without a leading one or {@code .}; empty for the root
 * @param type what it is
 * @param size of its content, in bytes
 * @param offset where its content begins in the archive
 */
record TarEntry(String path, Type type, long size, long offset) {
    enum Type {
        FILE,
        DIRECTORY,
        /** A hard or symbolic link, which is never followed. */
        LINK,
        /** A device, a pipe. */
        OTHER
    }

    /** The path that a name stands for; what leads out of the archive is refused. */
    static String path(String name, int depthMax) {
        List<String> steps = new ArrayList<>();
        for (String step : name.split("/", -1)) {
            if (step.equals("..")) {
                throw new UnreadablePackageException("entry \"" + name + "\" climbs out of the archive");
            }
            if (!step.isEmpty() && !step.equals(".")) {
                steps.add(step);
            }
        }
        if (name.startsWith("/")) {
            throw new UnreadablePackageException("entry \"" + name + "\" is absolute (expected a relative path)");
        }
        if (steps.size() > depthMax) {
            throw new UnreadablePackageException("an entry's path has " + steps.size() + " names (expected at most "
                    + depthMax + "): \"" + String.join("/", steps.subList(0, 3)) + "/…\"");
        }
        return String.join("/", steps);
    }

    /** The last name of the path. */
    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** The path of where it is, with a slash at its end; empty for the root. */
    String folder() {
        return path.substring(0, path.lastIndexOf('/') + 1);
    }
}
