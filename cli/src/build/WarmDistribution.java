import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A step of the build: puts the launcher and the jars where they will be in the distribution, with the times that they
 * will have there, and has the launcher make their ahead-of-time cache by the JDK that runs this. The JVM compares the
 * class path, the sizes and the times. A cache that an earlier build made of the same is kept.
 */
final class WarmDistribution {
    private static final int MINUTES_MAX = 5;

    private WarmDistribution() {}

    /** Takes the folder to fill, the launcher, the time, and then jars and folders of jars. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Path.of(arguments[0]);
        Path madeOf = folder.resolve("made-of");
        String parts = parts(List.of(arguments));
        if (Files.exists(madeOf) && Files.readString(madeOf).equals(parts)) {
            return;
        }
        remove(folder);
        Path launcher = Files.createDirectories(folder.resolve("bin")).resolve("fairlead");
        Files.copy(Path.of(arguments[1]), launcher);
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        FileTime time = FileTime.from(Instant.parse(arguments[2]));
        Path lib = Files.createDirectory(folder.resolve("lib"));
        for (Path jar : jars(List.of(arguments).subList(3, arguments.length))) {
            Path copy = Files.copy(jar, lib.resolve(jar.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            Files.setLastModifiedTime(copy, time);
        }
        warm(launcher);
        Files.writeString(madeOf, parts);
    }

    /** All that the cache depends on: the JDK, the arguments, and the checksums of the launcher and of the jars. */
    private static String parts(List<String> arguments) throws IOException {
        StringBuilder parts = new StringBuilder(System.getProperty("java.home") + " " + Runtime.version() + "\n");
        parts.append(arguments).append('\n').append(sum(Path.of(arguments.get(1))));
        for (Path jar : jars(arguments.subList(3, arguments.size()))) {
            parts.append('\n').append(jar.getFileName()).append(' ').append(sum(jar));
        }
        return parts.toString();
    }

    private static String sum(Path file) throws IOException {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(sum);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    private static List<Path> jars(List<String> places) throws IOException {
        List<Path> jars = new ArrayList<>();
        for (String place : places) {
            try (Stream<Path> files = Files.walk(Path.of(place), 1)) {
                files.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(jars::add);
            }
        }
        return jars;
    }

    private static void warm(Path launcher) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(launcher.toString(), "warm")
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("FAIRLEAD_JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
            process.destroy();
            throw new IOException("the cache of the distribution is not made after " + MINUTES_MAX + " minutes");
        }
        if (process.exitValue() != 0) {
            throw new IOException("the cache of the distribution cannot be made; -Dexec.skip leaves it out");
        }
    }

    private static void remove(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> tree = Files.walk(folder)) {
                for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
