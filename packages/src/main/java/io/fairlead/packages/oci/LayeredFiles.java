package io.fairlead.packages.oci;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The files named {@code package.yaml} that layers leave, one applied upon the other (OCI image specification,
 * {@code layer.md}, applying changesets). Of all other files only what they replace matters.
 */
final class LayeredFiles {
    static final String PACKAGE_FILE = "package.yaml";
    private static final String WHITEOUT = ".wh.";
    private static final String OPAQUE = ".wh..wh..opq";

    private final ReadingBudget budget;
    private final Map<String, byte[]> files = new TreeMap<>();

    LayeredFiles(ReadingBudget budget) {
        this.budget = budget;
    }

    /** Applies a layer. Its removals apply only to the layers below, wherever in the layer they are. */
    void apply(TarReader layer) throws IOException {
        Map<String, byte[]> added = new TreeMap<>();
        for (@Nullable TarEntry entry = layer.next(); entry != null; entry = layer.next()) {
            String name = entry.name();
            if (name.equals(OPAQUE)) {
                removeBelow(entry.folder());
            } else if (name.startsWith(WHITEOUT)) {
                remove(entry.folder() + name.substring(WHITEOUT.length()));
            } else if (name.equals(PACKAGE_FILE) && entry.type() == TarEntry.Type.FILE) {
                add(added, entry, layer);
            } else if (entry.type() != TarEntry.Type.DIRECTORY || name.equals(PACKAGE_FILE)) {
                refuseInPlaceOfFile(entry);
                remove(entry.path());
            }
        }
        files.putAll(added);
    }

    /**
     * The one of them, which must be at the root.
     *
     * <p>Crossplane takes the first of this name in whatever folder, the specification knows one alone; where there are
     * several, two readers could read two packages.
     */
    byte[] packageFile() {
        byte[] content = files.get(PACKAGE_FILE);
        if (files.size() > 1) {
            throw new UnreadablePackageException(
                    "several files named " + PACKAGE_FILE + " (expected one, at the root): " + paths());
        }
        if (content == null) {
            throw new UnreadablePackageException(
                    "no " + PACKAGE_FILE + " at the root" + (files.isEmpty() ? "" : " (it is at " + paths() + ")"));
        }
        return content;
    }

    private void add(Map<String, byte[]> added, TarEntry entry, TarReader layer) throws IOException {
        budget.takePackageFile(entry.path(), entry.size());
        if (added.put(entry.path(), layer.content(entry)) != null) {
            throw new UnreadablePackageException(entry.path() + " is there twice (expected once)");
        }
    }

    private void remove(String path) {
        files.remove(path);
        removeBelow(path + "/");
    }

    private void removeBelow(String folder) {
        files.keySet().removeIf(path -> path.startsWith(folder));
    }

    private static void refuseInPlaceOfFile(TarEntry entry) {
        if (entry.path().equals(PACKAGE_FILE)) {
            throw new UnreadablePackageException(
                    PACKAGE_FILE + " is not a file (expected one; links are not followed)");
        }
    }

    private String paths() {
        return files.keySet().stream().limit(3).collect(joining(", "));
    }
}
