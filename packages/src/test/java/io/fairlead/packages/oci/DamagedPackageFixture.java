package io.fairlead.packages.oci;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** A package that a test damages. */
abstract class DamagedPackageFixture {
    static final String PROVIDER = PackageReaderTest.PROVIDER;
    static final int SMALL = 64 * 1024;
    static final PackageLimits LIMITS = new PackageLimits(SMALL, SMALL, 4 * SMALL, SMALL, 50, 8, 16, 8);

    @TempDir
    Path folder;

    final TestImage blobs = new TestImage();

    static TestTar provider() {
        return new TestTar().file("package.yaml", PROVIDER);
    }

    AbstractThrowableAssert<?, ?> refusedFile(String text) throws IOException {
        return refused(blobs.image(blobs.base(new TestTar().file("package.yaml", text))));
    }

    AbstractThrowableAssert<?, ?> refused(ObjectNode... manifests) throws IOException {
        Path directory = blobs.writeDirectory(Files.createTempDirectory(folder, "layout"), manifests);
        return assertThatThrownBy(() -> PackageReader.read(ImageLayout.directory(directory, LIMITS, null), LIMITS))
                .isInstanceOf(UnreadablePackageException.class);
    }
}
