package io.fairlead.packages.oci;

import java.util.Set;

/** The media types that are understood: those of the OCI image specification and Docker's of the same meaning. */
final class MediaTypes {
    static final String OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    static final String OCI_INDEX = "application/vnd.oci.image.index.v1+json";
    static final String OCI_LAYER = "application/vnd.oci.image.layer.v1.tar";
    static final String OCI_LAYER_GZIP = "application/vnd.oci.image.layer.v1.tar+gzip";
    static final String OCI_CONFIG = "application/vnd.oci.image.config.v1+json";

    static final Set<String> MANIFESTS = Set.of(OCI_MANIFEST, "application/vnd.docker.distribution.manifest.v2+json");
    static final Set<String> INDEXES = Set.of(OCI_INDEX, "application/vnd.docker.distribution.manifest.list.v2+json");
    static final Set<String> PLAIN_LAYERS = Set.of(OCI_LAYER, "application/vnd.docker.image.rootfs.diff.tar");
    static final Set<String> GZIP_LAYERS = Set.of(OCI_LAYER_GZIP, "application/vnd.docker.image.rootfs.diff.tar.gzip");

    private MediaTypes() {}
}
