package io.fairlead.ittests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The launcher in a checkout of its own, where a test decides which JDKs, which Maven and which build it finds.
 *
 * <p>On its path lie only the tools that it uses, those of POSIX and flock, and what the test adds; folders where JDKs usually are, are looked
 * for below the checkout instead of the root directory.
 */
final class LauncherCopy {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final List<String> TOOLS = List.of(
            "cat",
            "chmod",
            "cp",
            "date",
            "dirname",
            "env",
            "find",
            "flock",
            "head",
            "ls",
            "mkdir",
            "mv",
            "od",
            "readlink",
            "rm",
            "sed",
            "sh",
            "sleep",
            "sort",
            "tail",
            "touch",
            "wc");

    private final Path folder;
    private final Path bin;

    LauncherCopy(Path folder) {
        this.folder = folder;
        this.bin = folder.resolve("bin");
        try {
            write("pom.xml", "<project/>\n");
            write("fairlead", moved(Files.readString(Checkout.launcher())), true);
            Files.createDirectories(bin);
            for (String tool : TOOLS) {
                Files.createSymbolicLink(
                        bin.resolve(tool),
                        Checkout.onPath(tool).orElseThrow(() -> new AssertionError(tool + " is not on the path")));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path launcher() {
        return folder.resolve("fairlead");
    }

    /** Puts a folder where JDKs usually are that says it is of a version; its {@code java} only fails. */
    void addJdk(String version) {
        String home = "usr/lib/jvm/jdk-" + version;
        write(home + "/release", "IMPLEMENTOR=\"Nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
        write(home + "/bin/java", "#!/bin/sh\nexit 1\n", true);
        write(home + "/bin/javac", "#!/bin/sh\nexit 1\n", true);
    }

    /** Puts a link to a JDK where JDKs usually are. */
    void addJdk(Path home) {
        try {
            Path folders = Files.createDirectories(folder.resolve("usr/lib/jvm"));
            Files.createSymbolicLink(folders.resolve("real"), home);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts a Maven on the path that says it is of a version and whose builds are a script. */
    void addMaven(String version, String build) {
        write("bin/mvn", """
            #!/bin/sh
            case $1 in --version) echo 'Apache Maven %s (x)'; exit 0 ;; esac
            %s
            """.formatted(version, build), true);
    }

    /** Makes {@code sleep} short, and leave the file {@code slept} in the home when it is called the second time. */
    void addShortSleep() {
        Path sleep = Checkout.onPath("sleep").orElseThrow(() -> new AssertionError("sleep is not on the path"));
        try {
            Files.delete(bin.resolve("sleep"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        write("bin/sleep", """
            #!/bin/sh
            [ -e "$HOME/asleep" ] && : > "$HOME/slept"
            : > "$HOME/asleep"
            exec %s 0.1
            """.formatted(sleep), true);
    }

    /** Puts what was built of the real checkout here, older than the sources. */
    void addOutdatedBuild() {
        Path from = Checkout.root().resolve("cli").resolve("target");
        try {
            Path target = Files.createDirectories(folder.resolve("cli").resolve("target"));
            link(from.resolve("lib"), target.resolve("lib"));
            try (Stream<Path> jars = Files.list(from)) {
                for (Path jar : jars.filter(file -> name(file).matches("fairlead-cli-[0-9.]*\\.jar"))
                        .toList()) {
                    Files.createLink(target.resolve(name(jar)), jar);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        write("cli/pom.xml", "<project/>\n");
    }

    /** The same as if this launcher had built it: it builds nothing, and makes no cache. */
    void addBuild() {
        addOutdatedBuild();
        write("cli/target/built", "");
    }

    /** Runs a command of it with nothing in its environment but its path, a home and what is given. */
    Output run(Map<String, String> environment, String... arguments) {
        return Output.of(folder, Map.of(), "", TIMEOUT, command(environment, arguments));
    }

    /** The same on a terminal, to which standard output and standard error go alike. */
    Output runOnTerminal(Path script, Map<String, String> environment, String... arguments) {
        String line = String.join(" ", command(environment, arguments));
        return Output.of(
                folder, Map.of(), "", TIMEOUT, List.of(script.toString(), "-q", "-e", "-c", line, "/dev/null"));
    }

    /** That command. */
    List<String> command(Map<String, String> environment, String... arguments) {
        var all = new HashMap<>(environment);
        all.put("HOME", folder.toString());
        all.put("PATH", bin.toString());
        var command = new ArrayList<>(List.of("/usr/bin/env", "-i"));
        all.forEach((variable, value) -> command.add(variable + "=" + value));
        command.add(launcher().toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /** The launcher's text with the places that a test cannot empty led below this folder. */
    private String moved(String text) {
        String moved = text.replace("/usr/lib/jvm/", folder + "/usr/lib/jvm/")
                .replace("/usr/libexec/java_home", folder + "/usr/libexec/java_home");
        if (moved.lines().filter(line -> line.contains(folder.toString())).count() < 3) {
            throw new AssertionError("the launcher looks for JDKs elsewhere now");
        }
        return moved;
    }

    private void write(String path, String text) {
        write(path, text, false);
    }

    private void write(String path, String text, boolean executable) {
        try {
            Path file = folder.resolve(path);
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.writeString(file, text);
            if (executable) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void link(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.createLink(to.resolve(name(file)), file);
            }
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }
}
