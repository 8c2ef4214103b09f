package io.fairlead.packages.oci;

import io.fairlead.schema.digest.DefinitionDigests;
import java.util.List;

/**
 * What a package says.
 *
 * @param digest of the manifest or index that leads to it
 * @param sort what it is: {@code Configuration}, {@code Provider} or {@code Function}
 * @param name of the package, as it calls itself
 * @param crossplane the versions of Crossplane that it asks for ({@code >=v1.14.0}); empty if it does not say
 * @param dependencies the packages that it needs
 * @param types of its CustomResourceDefinitions, in its order; those of a Function describe its input and are not installed
 * @param undetermined the types of which it does not say enough
 * @param compositions the names of its compositions
 */
public record CrossplanePackage(
        BlobDigest digest,
        String sort,
        String name,
        String crossplane,
        List<Dependency> dependencies,
        List<DefinitionDigests> types,
        List<Undetermined> undetermined,
        List<String> compositions) {
    public CrossplanePackage {
        dependencies = List.copyOf(dependencies);
        types = List.copyOf(types);
        undetermined = List.copyOf(undetermined);
        compositions = List.copyOf(compositions);
    }

    /**
     * Another package that one needs.
     *
     * @param sort {@code Provider.pkg.crossplane.io} or the like
     * @param reference where the image is, without a version
     * @param constraint the versions that will do ({@code >=v1.2.0}), or a digest
     */
    public record Dependency(String sort, String reference, String constraint) {}

    /**
     * A type that comes of the package, but of which it does not say all.
     *
     * @param group its API group
     * @param kind its kind
     * @param why what is missing
     */
    public record Undetermined(String group, String kind, String why) {
        /** Its name for people: kind, a dot and the group. */
        public String groupKind() {
            return kind + "." + group;
        }
    }
}
