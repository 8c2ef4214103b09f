package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** A volume has one source; of several the later ones are refused, in the order of {@code validateVolumeSource}. */
final class VolumeSources {
    static final List<String> OF_PODS = List.of(
            "emptyDir",
            "hostPath",
            "gitRepo",
            "gcePersistentDisk",
            "awsElasticBlockStore",
            "secret",
            "nfs",
            "iscsi",
            "glusterfs",
            "flocker",
            "persistentVolumeClaim",
            "rbd",
            "cinder",
            "cephfs",
            "quobyte",
            "downwardAPI",
            "fc",
            "flexVolume",
            "configMap",
            "azureFile",
            "vsphereVolume",
            "photonPersistentDisk",
            "portworxVolume",
            "azureDisk",
            "storageos",
            "projected",
            "scaleIO",
            "csi",
            "ephemeral",
            "image");
    /** In the order of {@code ValidatePersistentVolumeSpec}. */
    static final List<String> OF_PERSISTENT_VOLUMES = List.of(
            "hostPath",
            "gcePersistentDisk",
            "awsElasticBlockStore",
            "glusterfs",
            "flocker",
            "nfs",
            "rbd",
            "quobyte",
            "cephfs",
            "iscsi",
            "cinder",
            "fc",
            "flexVolume",
            "azureFile",
            "vsphereVolume",
            "photonPersistentDisk",
            "portworxVolume",
            "azureDisk",
            "scaleIO",
            "local",
            "storageos",
            "csi");

    private VolumeSources() {}

    static void check(ObjectNode volume, List<String> sources, FieldPath path, FieldErrors errors) {
        beyondFirst(volume, sources)
                .forEach(source -> errors.forbidden(path.child(source), "may not specify more than 1 volume type"));
    }

    /** The sources beside the first, which are not looked at. */
    static Set<String> unread(ObjectNode volume, List<String> sources) {
        return beyondFirst(volume, sources).collect(Collectors.toSet());
    }

    private static Stream<String> beyondFirst(ObjectNode volume, List<String> sources) {
        return sources.stream().filter(source -> volume.path(source).isObject()).skip(1);
    }
}
