package io.fairlead.packages.oci;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An image layout (OCI image specification, {@code image-layout.md}) in a directory or a plain tar archive.
 *
 * <p>If its {@code index.json} lists one image or index, that is the package; if it lists several, it is an index of platforms
 * itself, unless one of them is chosen.
 */
public final class ImageLayout implements ImageSource {
    static final String MARKER = "oci-layout";
    private static final String INDEX = "index.json";

    private final LayoutFiles files;
    private final PackageLimits limits;
    private final @Nullable BlobDigest chosen;

    private ImageLayout(LayoutFiles files, PackageLimits limits, @Nullable BlobDigest chosen) {
        this.files = files;
        this.limits = limits;
        this.chosen = chosen;
    }

    /**
     * The layout in a directory.
     *
     * @param chosen the manifest or index that is meant, null if the layout has but one
     */
    public static ImageLayout directory(Path directory, PackageLimits limits, @Nullable BlobDigest chosen) {
        return new ImageLayout(new LayoutDirectory(directory), limits, chosen);
    }

    static ImageLayout of(LayoutFiles files, PackageLimits limits, @Nullable BlobDigest chosen) {
        return new ImageLayout(files, limits, chosen);
    }

    @Override
    public Descriptor root() throws IOException {
        requireVersion();
        byte[] index = file(INDEX);
        Descriptor self = Descriptor.of(MediaTypes.OCI_INDEX, index);
        List<Descriptor> manifests = ((ImageManifest.Index) ImageManifest.read(INDEX, self, index, limits)).manifests();
        if (chosen != null) {
            return choose(manifests, chosen);
        }
        return manifests.size() == 1 ? manifests.getFirst() : self;
    }

    @Override
    public InputStream manifest(Descriptor manifest) throws IOException {
        byte[] index = file(INDEX);
        return BlobDigest.of(index).equals(manifest.digest()) ? new ByteArrayInputStream(index) : blob(manifest);
    }

    @Override
    public InputStream blob(Descriptor blob) throws IOException {
        String path = "blobs/sha256/" + blob.digest().hex();
        return files.open(path)
                .orElseThrow(() -> new UnreadablePackageException("blob " + blob.digest() + " is missing"));
    }

    @Override
    public void close() throws IOException {
        files.close();
    }

    private void requireVersion() throws IOException {
        try {
            JsonNode marker = Json.read(file(MARKER));
            String version = marker.path("imageLayoutVersion").asString("");
            if (!version.startsWith("1.")) {
                throw new UnreadablePackageException(
                        MARKER + ": imageLayoutVersion \"" + version + "\" (expected 1.0.0)");
            }
        } catch (UnreadableDocumentException notJson) {
            throw new UnreadablePackageException(MARKER + ": " + notJson.getMessage());
        }
    }

    private byte[] file(String path) throws IOException {
        InputStream file = files.open(path)
                .orElseThrow(() -> new UnreadablePackageException("no image layout: there is no file " + path
                        + " (expected " + MARKER + ", " + INDEX + " and blobs/sha256/)"));
        return limits.readManifest(file, path);
    }

    private static Descriptor choose(List<Descriptor> manifests, BlobDigest chosen) {
        List<String> listed = new ArrayList<>();
        for (Descriptor manifest : manifests) {
            if (manifest.digest().equals(chosen)) {
                return manifest;
            }
            listed.add(manifest.digest().text());
        }
        throw new UnreadablePackageException(INDEX + " does not list " + chosen + " (it lists " + listed + ")");
    }
}
