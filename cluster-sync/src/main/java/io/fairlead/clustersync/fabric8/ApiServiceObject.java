package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

/** An APIService with the fields that name the server of its group/version. Shaped for fabric8's JSON binding. */
@Group("apiregistration.k8s.io")
@Version("v1")
@Kind("APIService")
@Plural("apiservices")
@JsonDeserialize(using = ValueDeserializer.None.class) // not by apiVersion and kind, which items of lists lack
@SuppressWarnings("serial") // read from JSON only
final class ApiServiceObject implements HasMetadata {
    private ObjectMeta metadata = new ObjectMeta();
    private Spec spec = new Spec(null, null, null);

    /**
     * The spec.
     *
     * @param group the API group, empty or absent for the core group
     * @param version the version
     * @param service the backend; absent if the server answers itself
     */
    record Spec(
            @Nullable String group,
            @Nullable String version,
            @Nullable Service service) {}

    /**
     * A backend.
     *
     * @param name its name
     */
    record Service(@Nullable String name) {}

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
        this.spec = spec == null ? new Spec(null, null, null) : spec;
    }
}
