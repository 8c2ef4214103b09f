package io.fairlead.packages.oci;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The files of a directory. */
record LayoutDirectory(Path directory) implements LayoutFiles {
    @Override
    public Optional<InputStream> open(String path) throws IOException {
        Path file = directory.resolve(path);
        return Files.isRegularFile(file) ? Optional.of(Files.newInputStream(file)) : Optional.empty();
    }

    @Override
    public void close() {}
}
