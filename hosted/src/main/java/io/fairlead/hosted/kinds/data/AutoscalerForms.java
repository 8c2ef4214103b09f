package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.kinds.KindForms;
import io.fairlead.hosted.scaling.AutoscalerVersions;
import tools.jackson.databind.node.ObjectNode;

/** The forms of HorizontalPodAutoscalers, each with the defaults of its version (kubernetes {@code pkg/apis/autoscaling}). */
public final class AutoscalerForms implements KindForms {
    /** The only ones. */
    public static final KindForms INSTANCE = new AutoscalerForms();

    private AutoscalerForms() {}

    /** Whether a resource has these forms. */
    public static boolean areOf(ResourceType type) {
        return type.group().equals("autoscaling") && type.kind().equals("HorizontalPodAutoscaler");
    }

    @Override
    public boolean knows(String apiVersion) {
        return apiVersion.equals(AutoscalerVersions.OLDER) || apiVersion.equals(AutoscalerVersions.NEWER);
    }

    @Override
    public void complete(ObjectNode object) {
        if (!AutoscalerVersions.isNewer(object)) {
            DataDefaults.apply(AutoscalerVersions.type(AutoscalerVersions.OLDER), object);
        }
    }

    @Override
    public ObjectNode judged(ObjectNode object) {
        return AutoscalerVersions.newer(object);
    }

    /** Go fills in the defaults of the stored version when it reads what it has just stored. */
    @Override
    public ObjectNode stored(ObjectNode judged) {
        ObjectNode stored = judged.deepCopy();
        DataDefaults.apply(AutoscalerVersions.type(AutoscalerVersions.NEWER), stored);
        return stored;
    }

    @Override
    public ObjectNode in(ObjectNode object, String apiVersion) {
        return apiVersion.equals(AutoscalerVersions.NEWER)
                ? AutoscalerVersions.newer(object)
                : AutoscalerVersions.older(object);
    }
}
