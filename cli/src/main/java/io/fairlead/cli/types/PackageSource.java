package io.fairlead.cli.types;

import io.fairlead.cli.server.ClientTls;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.model.FileFault;
import io.fairlead.packages.oci.BlobDigest;
import io.fairlead.packages.oci.CrossplanePackage;
import io.fairlead.packages.oci.ImageArchive;
import io.fairlead.packages.oci.ImageLayout;
import io.fairlead.packages.oci.ImageSource;
import io.fairlead.packages.oci.PackageLimits;
import io.fairlead.packages.oci.PackageReader;
import io.fairlead.packages.oci.UnreadablePackageException;
import io.fairlead.packages.registry.RegistryCredentials;
import io.fairlead.packages.registry.RegistryException;
import io.fairlead.packages.registry.RegistryImage;
import io.fairlead.packages.registry.RegistryReference;
import io.fairlead.packages.registry.RegistryTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The location of a Crossplane package on the command line: {@code oci-layout:FOLDER[@sha256:…]},
 * {@code tarball:FILE[@sha256:…]} or {@code xpkg:HOST/PATH@sha256:…}.
 *
 * @param form how it is read
 * @param place the directory, file or reference
 */
record PackageSource(Form form, String place) {
    /** The forms for {@link #of}, for people. */
    static final String EXPECTED = "oci-layout:FOLDER, tarball:FILE or xpkg:HOST/PATH@sha256:...";

    private static final PackageLimits LIMITS = PackageLimits.DEFAULT;
    private static final String TRUST_VARIABLE = "SSL_CERT_FILE";

    enum Form {
        OCI_LAYOUT,
        TARBALL,
        XPKG;

        private String prefix() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-') + ":";
        }
    }

    /** Parses a location; reads nothing yet. */
    static PackageSource of(String text) throws CommandFailure {
        for (Form form : Form.values()) {
            if (text.startsWith(form.prefix())) {
                return new PackageSource(form, text.substring(form.prefix().length())).wellFormed();
            }
        }
        throw CommandFailure.usage("\"" + text + "\" names no source of a package", "expected " + EXPECTED);
    }

    private PackageSource wellFormed() throws CommandFailure {
        try {
            switch (form) {
                case OCI_LAYOUT, TARBALL -> chosen();
                case XPKG -> RegistryReference.parse(place);
            }
            return this;
        } catch (IllegalArgumentException malformed) {
            throw CommandFailure.usage(this + ": " + malformed.getMessage(), "expected " + EXPECTED);
        }
    }

    /** Reads and verifies the package. */
    CrossplanePackage read() throws CommandFailure {
        try (ImageSource image = open()) {
            return PackageReader.read(image, LIMITS);
        } catch (RegistryException | UnreadablePackageException refused) {
            throw failure(String.valueOf(refused.getMessage()));
        } catch (IllegalArgumentException malformed) {
            throw failure(String.valueOf(malformed.getMessage()));
        } catch (IOException unreadable) {
            throw failure(FileFault.of(unreadable));
        }
    }

    private ImageSource open() throws IOException {
        return switch (form) {
            case OCI_LAYOUT -> {
                Path directory = path();
                if (!Files.isDirectory(directory)) {
                    throw new UnreadablePackageException("there is no such directory");
                }
                yield ImageLayout.directory(directory, LIMITS, chosen());
            }
            case TARBALL -> ImageArchive.open(path(), LIMITS, chosen());
            case XPKG ->
                RegistryImage.open(RegistryReference.parse(place), credentials(), RegistryTimes.DEFAULT, trust());
        };
    }

    private Path path() {
        int digest = place.indexOf("@sha256:");
        return Path.of(digest < 0 ? place : place.substring(0, digest));
    }

    private @Nullable BlobDigest chosen() {
        int digest = place.indexOf("@sha256:");
        return digest < 0 ? null : new BlobDigest(place.substring(digest + 1));
    }

    private static RegistryCredentials credentials() throws IOException {
        String folder = System.getenv("DOCKER_CONFIG");
        Path file = folder == null || folder.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".docker", "config.json")
                : Path.of(folder, "config.json");
        return RegistryCredentials.read(file);
    }

    /** The trust store of Go's programs and OpenSSL if this variable is set; null for the JVM's trust. */
    private static @Nullable SSLContext trust() throws IOException {
        String file = System.getenv(TRUST_VARIABLE);
        if (file == null || file.isEmpty()) {
            return null;
        }
        try {
            return ClientTls.trusting(Files.readString(Path.of(file)));
        } catch (IOException unreadable) {
            throw new IOException(TRUST_VARIABLE + " " + file + ": " + FileFault.of(unreadable));
        } catch (ClientTls.UnusableException unusable) {
            throw new IOException(TRUST_VARIABLE + " " + file + ": " + unusable.getMessage());
        }
    }

    private CommandFailure failure(String problem) {
        return CommandFailure.of(this + ": " + problem).withExitCode(ExitCodes.FAILED);
    }

    @Override
    public String toString() {
        return form.prefix() + place;
    }
}
