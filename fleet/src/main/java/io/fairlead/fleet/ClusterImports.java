package io.fairlead.fleet;

import io.fairlead.fleet.root.FairleadKind;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.cluster.ClusterArchives;
import io.fairlead.hosted.cluster.HostedClusters;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.Status.Cause;
import io.fairlead.model.StatusException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The kind {@code ClusterImport}, which is never stored: creating one takes a part of an archive, and the last part makes the
 * hosted cluster of its name have what is in it. A {@code Cluster} of that name is registered afterwards.
 *
 * <p>Threads: any virtual one; blocks.
 */
public final class ClusterImports implements KindRules {
    private final Supplier<HostedClusters> hosted;

    private ClusterImports(Supplier<HostedClusters> hosted) {
        this.hosted = hosted;
    }

    /**
     * The kind with its rules.
     *
     * @param hosted the clusters, which are not there yet while the kinds of the root cluster are made
     */
    public static BuiltInKind of(Supplier<HostedClusters> hosted) {
        return BuiltInKind.structural(
                FairleadKind.answered("clusterimports", "ClusterImport", "clusterimport.openapi.json"),
                new ClusterImports(hosted),
                review -> requireRegistrar(hosted.get(), review));
    }

    /** What is imported becomes a cluster as soon as one of its name is registered. */
    private static void requireRegistrar(HostedClusters hosted, AdmissionHook.Review review) {
        RequestInfo registration = RequestInfo.resource("create", ClusterKind.CLUSTERS, "", "", "");
        if (hosted.open(ClusterName.ROOT).authorize(review.user(), registration) instanceof Decision.Denied) {
            throw new StatusException(Status.of(
                    403,
                    "Forbidden",
                    "user \"" + review.user().name() + "\" may not import cluster \"" + review.name()
                            + "\" (expected create on clusters.fairlead.io too)"));
        }
    }

    @Override
    public boolean countsGeneration() {
        return false;
    }

    @Override
    public List<Cause> validateCreate(ObjectNode object) {
        String name = nameOf(object);
        if (!ClusterName.isValid(name) || name.equals(ClusterName.ROOT.value())) {
            return List.of(new Cause(
                    "FieldValueInvalid",
                    "Invalid value: \"" + name + "\": no name of a hosted cluster (expected a DNS-1123 label, and not "
                            + ClusterName.ROOT + ")",
                    "metadata.name"));
        }
        return List.of();
    }

    @Override
    public Optional<ObjectNode> review(ObjectNode object, boolean dryRun) {
        ClusterName name = new ClusterName(nameOf(object));
        requireUnregistered(name);
        JsonNode spec = object.path("spec");
        byte[] part = decoded(spec.path("data").asString(""));
        if (dryRun) {
            return Optional.of(object);
        }
        ClusterArchives.Progress progress = hosted.get()
                .archives()
                .add(
                        name,
                        spec.path("offset").asLong(0),
                        part,
                        spec.path("last").asBoolean(false));
        ObjectNode answer = object.deepCopy();
        answer.withObjectProperty("spec").remove("data");
        answer.putObject("status")
                .put("bytes", progress.bytes())
                .put("entries", progress.entries())
                .put("cluster", progress.from())
                .put("builtIns", progress.builtIns().toString())
                .put("complete", progress.isComplete());
        return Optional.of(answer);
    }

    private static byte[] decoded(String data) {
        try {
            return Base64.getDecoder().decode(data);
        } catch (IllegalArgumentException e) {
            throw new StatusException(Status.badRequest("spec.data is not base64: " + e.getMessage()));
        }
    }

    /** A registration would find nothing, or a part. */
    private void requireUnregistered(ClusterName name) {
        RootApi root = new RootApi(hosted.get().open(ClusterName.ROOT));
        if (root.get(ClusterKind.CLUSTERS, "", name.value()).isPresent()) {
            throw new StatusException(Status.of(
                    409,
                    "AlreadyExists",
                    "import of cluster \"" + name + "\": a Cluster of that name is registered (expected a new name)"));
        }
    }

    private static String nameOf(ObjectNode object) {
        return object.at("/metadata/name").asString("");
    }
}
