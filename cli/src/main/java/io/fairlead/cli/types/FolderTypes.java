package io.fairlead.cli.types;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.model.FileFault;
import io.fairlead.schema.digest.DefinitionDigests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/** The types of all YAML and JSON files below a folder; links to folders are not followed. */
record FolderTypes(Path folder) implements TypeSource {
    private static final int FILES_MAX = 10_000;

    @Override
    public List<DefinitionDigests> types() throws CommandFailure {
        List<DefinitionDigests> types = new ArrayList<>();
        for (Path file : files()) {
            types.addAll(DefinitionFile.readAny(file));
        }
        if (types.isEmpty()) {
            throw failure("no CustomResourceDefinition in any .yaml, .yml or .json file (expected at least one)");
        }
        return types;
    }

    private List<Path> files() throws CommandFailure {
        if (!Files.isDirectory(folder)) {
            throw failure(Files.exists(folder) ? "it is not a directory" : "there is no such folder");
        }
        try (Stream<Path> below = Files.walk(folder)) {
            List<Path> files = below.filter(FolderTypes::isText)
                    .limit(FILES_MAX + 1L)
                    .sorted()
                    .toList();
            if (files.size() > FILES_MAX) {
                throw failure("more than " + FILES_MAX + " files (expected at most as many)");
            }
            return files;
        } catch (UncheckedIOException e) {
            throw failure(FileFault.of(Objects.requireNonNull(e.getCause())));
        } catch (IOException e) {
            throw failure(FileFault.of(e));
        }
    }

    private static boolean isText(Path file) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        boolean isNamed = name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json");
        return isNamed && Files.isRegularFile(file);
    }

    private CommandFailure failure(String problem) {
        return CommandFailure.of(folder + ": " + problem).withExitCode(ExitCodes.FAILED);
    }
}
