package io.fairlead.packages.oci;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the {@code package.yaml} of an image: in the layer annotated {@code io.crossplane.xpkg: base} if there is one,
 * otherwise in all layers together.
 *
 * <p>Of an index Crossplane uses the image for {@code linux/amd64}, and treats one without a platform as such. Since
 * the types must not depend on the reader's platform, all images must have the same package. Ignored are those for
 * {@code unknown/unknown}, which are attestations, and, unless Crossplane would take them, those that no platform is
 * named for and that cannot be packages: without a base layer beside one that has it, or with layers that are not
 * archives.
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
     * @throws UnreadablePackageException if it is not a package, is damaged, or exceeds a limit
     */
    public static CrossplanePackage read(ImageSource source, PackageLimits limits) throws IOException {
        return new PackageReader(source, limits).read();
    }

    private CrossplanePackage read() throws IOException {
        Descriptor root = source.root();
        List<PlatformImage> images = new ArrayList<>();
        collect(root, false, 0, images);
        if (images.isEmpty()) {
            throw new UnreadablePackageException(root.digest() + " lists no image (expected at least one)");
        }
        boolean hasBase = images.stream().anyMatch(image -> !image.isAside() && image.hasBase());
        images.removeIf(image -> image.isAside() && !image.hasBase() && (hasBase || !image.isOfArchives()));
        return PackageStream.read(root.digest(), packageFile(images));
    }

    /** Adds the images that a manifest leads to. */
    private void collect(Descriptor manifest, boolean isAside, int depth, List<PlatformImage> into) throws IOException {
        byte[] content = VerifiedStream.readAll(source::manifest, manifest, limits.manifestBytesMax());
        switch (ImageManifest.read(manifest, content, limits)) {
            case ImageManifest.Image image -> into.add(PlatformImage.of(manifest.platform(), isAside, image));
            case ImageManifest.Index index -> {
                if (depth == INDEX_DEPTH_MAX) {
                    throw new UnreadablePackageException(
                            index.digest() + ": indexes nest deeper than " + INDEX_DEPTH_MAX + " levels");
                }
                List<Descriptor> children = relevant(index.manifests());
                Optional<Descriptor> taken =
                        children.stream().filter(PackageReader::isForDefault).findFirst();
                for (Descriptor child : children) {
                    boolean isNotTaken = child.platform() == null && !child.equals(taken.orElse(child));
                    collect(child, isAside || isNotTaken, depth + 1, into);
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
        return manifests.stream()
                .filter(manifest ->
                        manifest.platform() == null || manifest.platform().isKnown())
                .toList();
    }

    /** Whether Crossplane takes it, if it is the first of its index. */
    private static boolean isForDefault(Descriptor manifest) {
        return manifest.platform() == null || manifest.platform().isDefault();
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
        try (VerifiedStream stored = VerifiedStream.open(source::blob, layer, limits.blobBytesMax());
                InputStream unpacked = budget.metered(isGzip ? new GzipMembers(stored) : stored)) {
            try {
                files.apply(new TarReader(unpacked, budget));
                // An archive says where it ends; whether all of it was packed is only known at the end of the stream.
                unpacked.transferTo(OutputStream.nullOutputStream());
            } catch (ZipException | UnreadablePackageException damaged) {
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
     * @param isAside whether no platform is named for it and Crossplane would not take it
     * @param hasBase whether the one layer is the base layer
     * @param layers what is to be read, lowest first
     */
    private record PlatformImage(String name, boolean isAside, boolean hasBase, List<Descriptor> layers) {
        static PlatformImage of(Descriptor.@Nullable Platform platform, boolean isAside, ImageManifest.Image image) {
            String name = platform == null ? image.digest().text() : platform.toString();
            List<Descriptor> bases = image.layers().stream()
                    .filter(layer -> BASE.equals(layer.annotations().get(ANNOTATION)))
                    .toList();
            if (bases.size() > 1) {
                throw new UnreadablePackageException("manifest " + image.digest() + " has several base layers: "
                        + bases.get(0).digest() + " and " + bases.get(1).digest() + " (expected one)");
            }
            return new PlatformImage(name, isAside, !bases.isEmpty(), bases.isEmpty() ? image.layers() : bases);
        }

        boolean isOfArchives() {
            return layers.stream()
                    .map(Descriptor::mediaType)
                    .allMatch(type -> MediaTypes.GZIP_LAYERS.contains(type) || MediaTypes.PLAIN_LAYERS.contains(type));
        }
    }
}
