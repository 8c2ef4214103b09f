package io.fairlead.packages.oci;

import io.fairlead.packages.oci.CrossplanePackage.Dependency;
import io.fairlead.packages.oci.CrossplanePackage.Undetermined;
import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.json.Yaml;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The objects of a {@code package.yaml}, one document at a time so that only one tree is held. */
final class PackageStream {
    private static final String METADATA_GROUP = "meta.pkg.crossplane.io";
    private static final Set<String> SORTS = Set.of("Configuration", "Provider", "Function");
    private static final String COMPOSITES_GROUP = "apiextensions.crossplane.io";
    private static final String DERIVED =
            "derived from a CompositeResourceDefinition by the Crossplane that installs it; "
                    + "what is derived differs between its versions";

    private final List<DefinitionDigests> types = new ArrayList<>();
    private final List<Undetermined> undetermined = new ArrayList<>();
    private final List<String> compositions = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private @Nullable JsonNode metadata;

    private PackageStream() {}

    /**
     * Reads a package file.
     *
     * @throws UnreadablePackageException naming the document and what is wrong with it
     */
    static CrossplanePackage read(BlobDigest digest, byte[] yaml) {
        PackageStream stream = new PackageStream();
        YamlDocuments documents = new YamlDocuments(yaml);
        for (byte @Nullable [] text = documents.next(); text != null; text = documents.next()) {
            try {
                Yaml.readAllExact(text).forEach(stream::add);
            } catch (UnreadableDocumentException | UnreadablePackageException bad) {
                throw new UnreadablePackageException(LayeredFiles.PACKAGE_FILE + ", document that begins at line "
                        + documents.line() + ": " + bad.getMessage());
            }
        }
        return stream.result(digest);
    }

    private void add(Document document) {
        document.duplicates().stream().findFirst().ifPresent(duplicate -> {
            throw new UnreadablePackageException(duplicate.message() + " (expected every field once)");
        });
        JsonNode object = document.root();
        String apiVersion = text(object, "apiVersion");
        String group = group(object);
        String kind = text(object, "kind");
        if (group.equals(METADATA_GROUP) && SORTS.contains(kind)) {
            setMetadata(object);
        } else if (DefinitionDigests.isDefinition(object)) {
            addDefinition(object, apiVersion);
        } else if (group.equals(COMPOSITES_GROUP)) {
            addComposite(object, kind);
        }
    }

    private void setMetadata(JsonNode object) {
        if (metadata != null) {
            throw new UnreadablePackageException("a second object of " + METADATA_GROUP + " (expected one)");
        }
        metadata = object;
    }

    private void addDefinition(JsonNode definition, String apiVersion) {
        if (!apiVersion.equals("apiextensions.k8s.io/v1")) {
            addUndetermined(definition.path("spec"), "names", "its definition is of " + apiVersion);
            return;
        }
        String name = text(definition.path("metadata"), "name");
        try {
            DefinitionDigests type = DefinitionDigests.of(definition);
            claim(type.group(), type.kind());
            types.add(type);
        } catch (UnreadableDocumentException e) {
            throw new UnreadablePackageException("CustomResourceDefinition \"" + name + "\": " + e.getMessage());
        }
    }

    private void addComposite(JsonNode object, String kind) {
        JsonNode spec = object.path("spec");
        switch (kind) {
            case "CompositeResourceDefinition" -> {
                addUndetermined(spec, "names", DERIVED);
                if (spec.path("claimNames").isObject()) {
                    addUndetermined(spec, "claimNames", DERIVED);
                }
            }
            case "ManagedResourceDefinition" -> addUndetermined(spec, "names", "derived from a " + kind);
            case "Composition" -> compositions.add(text(object.path("metadata"), "name"));
            default -> {} // They bring no types.
        }
    }

    private void addUndetermined(JsonNode spec, String names, String why) {
        String group = text(spec, "group");
        String kind = text(spec.path(names), "kind");
        if (group.isEmpty() || kind.isEmpty()) {
            throw new UnreadablePackageException("a definition without spec.group or spec." + names + ".kind");
        }
        claim(group, kind);
        undetermined.add(new Undetermined(group, kind, why));
    }

    private void claim(String group, String kind) {
        if (!names.add(kind + "." + group)) {
            throw new UnreadablePackageException(kind + "." + group + " is defined twice (expected once)");
        }
    }

    private CrossplanePackage result(BlobDigest digest) {
        if (metadata == null) {
            throw new UnreadablePackageException(LayeredFiles.PACKAGE_FILE + " has no object of " + METADATA_GROUP
                    + " (expected a Configuration, Provider or Function)");
        }
        return new CrossplanePackage(
                digest,
                text(metadata, "kind"),
                text(metadata.path("metadata"), "name"),
                text(metadata.path("spec").path("crossplane"), "version"),
                dependencies(metadata.path("spec").path("dependsOn")),
                types,
                undetermined,
                compositions);
    }

    /** Named by a field for each sort, or since Crossplane 1.20 by {@code apiVersion}, {@code kind} and {@code package}. */
    private static List<Dependency> dependencies(JsonNode listed) {
        List<Dependency> dependencies = new ArrayList<>();
        listed.values().forEach(dependency -> dependencies.add(dependency(dependency)));
        return dependencies;
    }

    private static Dependency dependency(JsonNode dependency) {
        String constraint = text(dependency, "version");
        for (String sort : SORTS) {
            String reference = text(dependency, sort.toLowerCase(Locale.ROOT));
            if (!reference.isEmpty()) {
                return new Dependency(sort + ".pkg.crossplane.io", reference, constraint);
            }
        }
        String sort = text(dependency, "kind") + "." + group(dependency);
        return new Dependency(sort, text(dependency, "package"), constraint);
    }

    private static String group(JsonNode object) {
        String apiVersion = text(object, "apiVersion");
        return apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }
}
