package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The first command that a newcomer gives, in a checkout in which nothing was built yet. */
final class FirstBuildIT {
    private static final Set<String> NOT_OF_A_CHECKOUT = Set.of("target", ".git", ".idea", "fairlead-data");
    private static final int MINUTES_MAX = 8;

    private final Path folder = Checkout.scratch("FirstBuildIT");

    @Test
    void launcher_buildsAFreshCheckout_andRuns() throws Exception {
        copy(Checkout.root(), folder);
        Path output = folder.resolve("output");

        var launcher = new ProcessBuilder(folder.resolve("fairlead").toString(), "version")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        Process version = launcher.start();
        boolean ended = version.waitFor(MINUTES_MAX, TimeUnit.MINUTES);
        version.destroyForcibly();

        assertThat(ended).as("ended").isTrue();
        assertThat(version.exitValue()).as(Files.readString(output)).isZero();
        assertThat(output).content().contains("fairlead ");
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                if (NOT_OF_A_CHECKOUT.contains(directory.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(from.relativize(directory)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
