import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A step of the build: takes the signatures out of the jars in a folder, and out of their manifests the digests of their
 * entries. The JVM keeps no class of a signed jar in its ahead-of-time cache, and verifies each that it loads.
 */
final class UnsignedJars {
    private UnsignedJars() {}

    /** Takes the folder. The same jars in give the same bytes out. */
    public static void main(String[] arguments) throws IOException {
        List<Path> jars;
        try (Stream<Path> files = Files.list(Path.of(arguments[0]))) {
            jars = files.filter(file -> file.toString().endsWith(".jar")).toList();
        }
        for (Path jar : jars) {
            if (isSigned(jar)) {
                Path copy = jar.resolveSibling(jar.getFileName() + ".unsigned");
                copy(jar, copy);
                Files.setLastModifiedTime(copy, Files.getLastModifiedTime(jar));
                Files.move(copy, jar, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static boolean isSigned(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            return file.stream().anyMatch(UnsignedJars::isSignature);
        }
    }

    private static boolean isSignature(ZipEntry entry) {
        return entry.getName().matches("META-INF/[^/]+\\.(SF|RSA|DSA|EC)");
    }

    private static void copy(Path jar, Path copy) throws IOException {
        try (JarFile from = new JarFile(jar.toFile(), false);
                ZipOutputStream to = new ZipOutputStream(Files.newOutputStream(copy))) {
            Manifest manifest = new Manifest();
            manifest.getMainAttributes().putAll(from.getManifest().getMainAttributes());
            for (JarEntry entry : Collections.list(from.entries())) {
                if (isSignature(entry)) {
                    continue;
                }
                ZipEntry unsigned = new ZipEntry(entry.getName());
                unsigned.setTimeLocal(entry.getTimeLocal());
                to.putNextEntry(unsigned);
                if (entry.getName().equals(JarFile.MANIFEST_NAME)) {
                    manifest.write(to);
                } else {
                    from.getInputStream(entry).transferTo(to);
                }
            }
        }
    }
}
