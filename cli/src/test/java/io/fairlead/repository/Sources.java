package io.fairlead.repository;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The files of the repository that people write. */
final class Sources {
    private static final Set<String> NOT_WRITTEN_BY_PEOPLE = Set.of("target", ".git", "fairlead-data", "node_modules");

    private Sources() {}

    /** The repository's root: the nearest folder above with the list of modules. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isRegularFile(folder.resolve("model/pom.xml"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new AssertionError("not run inside the repository");
            }
        }
        return folder;
    }

    /** Every file whose name ends so, in order. */
    static List<Path> files(String ending) {
        try (Stream<Path> files = Files.find(root(), 30, (file, attributes) -> attributes.isRegularFile())) {
            return files.filter(file -> file.toString().endsWith(ending) && isWrittenByPeople(file))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static boolean isTest(Path file) {
        return file.toString().contains("/src/test/") || file.toString().contains("/it-tests/");
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file's name as people say it, from the root. */
    static String name(Path file) {
        return root().relativize(file).toString();
    }

    private static boolean isWrittenByPeople(Path file) {
        for (Path part : root().relativize(file)) {
            if (NOT_WRITTEN_BY_PEOPLE.contains(part.toString())) {
                return false;
            }
        }
        return true;
    }
}
