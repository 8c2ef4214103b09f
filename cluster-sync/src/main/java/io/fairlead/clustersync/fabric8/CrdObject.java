package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import io.fairlead.index.DefinedType;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * A CustomResourceDefinition with the few fields that decide what it serves, and the digests of its types. Shaped for
 * fabric8's JSON binding.
 */
@Group("apiextensions.k8s.io")
@Version("v1")
@Kind("CustomResourceDefinition")
@Plural("customresourcedefinitions")
@JsonDeserialize(using = ValueDeserializer.None.class) // not by apiVersion and kind, which items of lists lack
@SuppressWarnings("serial") // read from JSON only
final class CrdObject implements HasMetadata {
    private ObjectMeta metadata = new ObjectMeta();
    private Spec spec = Spec.NONE;
    private Status status = new Status(null);

    /**
     * The spec, as {@link SpecReader} reads it.
     *
     * @param served the fields that decide what is served
     * @param defines the defined types, null if unreadable
     */
    record Spec(ServedSpec served, @Nullable DefinedType defines) {
        static final Spec NONE = new Spec(new ServedSpec(null, null, null), null);
    }

    /**
     * The fields that decide what is served.
     *
     * @param group the API group
     * @param names the resource's names
     * @param versions every version, served or not
     */
    record ServedSpec(
            @Nullable String group,
            @Nullable Names names,
            @Nullable List<@Nullable ServedVersion> versions) {}

    /**
     * Names of the resource.
     *
     * @param plural as in paths
     */
    record Names(@Nullable String plural) {}

    /**
     * A version.
     *
     * @param name the version
     * @param served whether it is served
     */
    record ServedVersion(@Nullable String name, boolean served) {}

    /**
     * The status.
     *
     * @param conditions its conditions
     */
    record Status(@Nullable List<@Nullable Condition> conditions) {}

    /**
     * A condition.
     *
     * @param type which condition
     * @param status {@code True}, {@code False} or {@code Unknown}
     */
    record Condition(@Nullable String type, @Nullable String status) {}

    @Override
    public ObjectMeta getMetadata() {
        return metadata;
    }

    @Override
    public void setMetadata(@Nullable ObjectMeta metadata) {
        this.metadata = metadata == null ? new ObjectMeta() : metadata;
    }

    /** The version is always {@code v1}: no other is requested. */
    @Override
    public void setApiVersion(String version) {}

    public Spec getSpec() {
        return spec;
    }

    public void setSpec(@Nullable Spec spec) {
        this.spec = spec == null ? Spec.NONE : spec;
    }

    public Status getStatus() {
        return status;
    }

    public void setStatus(@Nullable Status status) {
        this.status = status == null ? new Status(null) : status;
    }
}
