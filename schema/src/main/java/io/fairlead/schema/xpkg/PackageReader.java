package io.fairlead.schema.xpkg;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the {@code package.yaml} of an image: in the layer annotated {@code io.crossplane.xpkg: base} if there is one, else
 * in what all layers together make.
 *
 * <p>Of an index Crossplane takes the image for {@code linux/amd64}, and takes one without a platform for that. Since the types
 * must not depend on who reads, the images of all platforms must have the same package. Images beside them - attestations,
 * and those that no platform is named for - are passed over unless Crossplane would take them.
 */
public final class PackageReader {
    private static final String ANNOTATION = "io.crossplane.xpkg";
    private static final String BASE = "base";
    private static final int INDEX_DEPTH_MAX = 3;

    private final ImageSource source;
    private final PackageLimits limits;
    private final ReadingBudget budget;

    private PackageReader(ImageSource source, PackageLimits limits) {
        this.source = source;
        this.limits = limits;
        this.budget = new ReadingBudget(limits);
    }

    /**
     * Reads a package.
     *
     * @throws IOException if the source cannot be read; the message is for people
     * @throws UnreadablePackageException if it is no package, is damaged, or exceeds a limit
     */
    public static CrossplanePackage read(ImageSource source, PackageLimits limits) throws IOException {
        return new PackageReader(source, limits).read();
    }

    private CrossplanePackage read() throws IOException {
        Descriptor root = source.root();
        List<PlatformImage> images = new ArrayList<>();
        collect(root, 0, images);
        if (images.isEmpty()) {
            throw new UnreadablePackageException(root.digest() + " lists no image (expected at least one)");
        }
        return PackageStream.read(root.digest(), packageFile(images));
    }

    /** Adds the images that a manifest leads to. */
    private void collect(Descriptor manifest, int depth, List<PlatformImage> into) throws IOException {
        byte[] content = VerifiedStream.readAll(source::manifest, manifest, limits.manifestBytesMax());
        switch (ImageManifest.read(manifest, content, limits)) {
            case ImageManifest.Image image -> into.add(PlatformImage.of(manifest.platform(), image));
            case ImageManifest.Index index -> {
                if (depth == INDEX_DEPTH_MAX) {
                    throw new UnreadablePackageException(
                            index.digest() + ": indexes nest deeper than " + INDEX_DEPTH_MAX + " levels");
                }
                for (Descriptor child : relevant(index.manifests())) {
                    collect(child, depth + 1, into);
                }
            }
        }
        if (into.size() > limits.manifestsMax()) {
            throw new UnreadablePackageException("more than " + limits.manifestsMax() + " images");
        }
    }

    private static List<Descriptor> relevant(List<Descriptor> manifests) {
        if (manifests.size() == 1) {
            return manifests;
        }
        List<Descriptor> relevant = new ArrayList<>();
        boolean defaultIsFound = false;
        for (Descriptor manifest : manifests) {
            Descriptor.@Nullable Platform platform = manifest.platform();
            boolean isDefault = platform == null || platform.isDefault();
            if ((isDefault && !defaultIsFound) || (platform != null && platform.isKnown())) {
                relevant.add(manifest);
            }
            defaultIsFound |= isDefault;
        }
        return relevant;
    }

    /** The package file of all images, which must be one. */
    private byte[] packageFile(List<PlatformImage> images) throws IOException {
        PlatformImage first = images.getFirst();
        if (images.stream().allMatch(PlatformImage::hasBase)) {
            for (PlatformImage other : images) {
                requireSame(
                        "base layer",
                        first,
                        first.layers().getFirst().digest(),
                        other,
                        other.layers().getFirst().digest());
            }
            return packageFile(first);
        }
        byte[] file = packageFile(first);
        for (PlatformImage other : images.subList(1, images.size())) {
            requireSame(
                    LayeredFiles.PACKAGE_FILE, first, BlobDigest.of(file), other, BlobDigest.of(packageFile(other)));
        }
        return file;
    }

    private static void requireSame(
            String what, PlatformImage first, BlobDigest ofFirst, PlatformImage other, BlobDigest ofOther) {
        if (!ofFirst.equals(ofOther)) {
            throw new UnreadablePackageException("the platforms disagree: the " + what + " of " + first.name() + " is "
                    + ofFirst + ", that of " + other.name() + " is " + ofOther + " (expected one for all)");
        }
    }

    private byte[] packageFile(PlatformImage image) throws IOException {
        LayeredFiles files = new LayeredFiles(budget);
        for (Descriptor layer : image.layers()) {
            apply(layer, files);
        }
        return files.packageFile();
    }

    private void apply(Descriptor layer, LayeredFiles files) throws IOException {
        boolean isGzip = MediaTypes.GZIP_LAYERS.contains(layer.mediaType());
        if (!isGzip && !MediaTypes.PLAIN_LAYERS.contains(layer.mediaType())) {
            throw new UnreadablePackageException("layer " + layer.digest() + ": media type \"" + layer.mediaType()
                    + "\" (expected a tar archive, plain or compressed by gzip)");
        }
        try (VerifiedStream stored = VerifiedStream.open(source::blob, layer, limits.blobBytesMax())) {
            try {
                InputStream unpacked = isGzip ? new GZIPInputStream(stored) : stored;
                files.apply(new TarReader(budget.metered(unpacked), budget));
            } catch (ZipException | EOFException | UnreadablePackageException damaged) {
                // If the blob is not the one that was promised, this is why, and says more.
                stored.finish();
                throw new UnreadablePackageException("layer " + layer.digest() + ": " + damaged.getMessage());
            }
            stored.finish();
        }
    }

    /**
     * An image and what is to be read of it.
     *
     * @param name its platform, or its digest if it has none
     * @param hasBase whether the one layer is the base layer
     * @param layers what is to be read, lowest first
     */
    private record PlatformImage(String name, boolean hasBase, List<Descriptor> layers) {
        static PlatformImage of(Descriptor.@Nullable Platform platform, ImageManifest.Image image) {
            String name = platform == null ? image.digest().text() : platform.toString();
            List<Descriptor> bases = image.layers().stream()
                    .filter(layer -> BASE.equals(layer.annotations().get(ANNOTATION)))
                    .toList();
            if (bases.size() > 1) {
                throw new UnreadablePackageException("manifest " + image.digest() + " has several base layers: "
                        + bases.get(0).digest() + " and " + bases.get(1).digest() + " (expected one)");
            }
            return new PlatformImage(name, !bases.isEmpty(), bases.isEmpty() ? image.layers() : bases);
        }
    }
}
