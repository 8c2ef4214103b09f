package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.FieldSelector;
import io.fairlead.hosted.meta.LabelSelector;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.schema.field.GoText;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The objects of a resource that a request selects.
 *
 * @param prefix their key prefix
 * @param labels the label selector
 * @param fields the field selector
 */
record Selection(String prefix, LabelSelector labels, FieldSelector fields) {
    /** What a request selects, beside what its labels do. */
    static Selection of(ApiRequest request, Addressed place, LabelSelector labels) {
        String fieldText = request.parameter("fieldSelector");
        FieldSelector fields = FieldSelector.parse(
                fieldText == null ? "" : fieldText,
                place.resource().selectable(),
                field -> notSelectable(place.resource(), field));
        ResourceType type = place.resource().type();
        if (type.custom() && !type.namespaced() && fields.namesNamespace()) {
            throw Refusals.badRequest("field label not supported: metadata.namespace");
        }
        String name = place.name();
        String selected = fields.name();
        if (!name.isEmpty() && selected != null && !selected.equals(name)) {
            throw Refusals.badRequest("fieldSelector metadata.name doesn't match requested name");
        }
        return new Selection(
                place.prefix(), labels, name.isEmpty() || selected != null ? fields : fields.andName(name));
    }

    /** As the conversion of the kind's fields says it, which kinds without such fields have from apimachinery. */
    private static String notSelectable(ServedResource resource, String field) {
        ResourceType type = resource.type();
        boolean hasOwn =
                type.custom() || resource.selectable().keySet().stream().anyMatch(name -> !name.equals("name"));
        if (type.plural().equals("resourceslices")) {
            return "field label not supported for " + type.groupVersion().apiVersion() + ", Kind=" + type.kind() + ": "
                    + field;
        }
        if (type.kind().equals("Job") && !type.custom()) {
            return "field label " + GoText.quote(field) + " not supported for Job";
        }
        return hasOwn
                ? "field label not supported: " + field
                : GoText.quote(field)
                        + " is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
    }

    boolean isEverything() {
        return labels.isEverything() && fields.isEverything();
    }

    boolean matches(ObjectNode object) {
        return labels.matches(object) && fields.matches(object);
    }

    /** The key of the only object that can match, or null if several can. */
    @Nullable
    String onlyKey(Addressed place) {
        String name = fields.name();
        ServedResource resource = place.resource();
        boolean oneScope = !resource.type().namespaced() || !place.namespace().isEmpty();
        return name == null || !oneScope ? null : resource.key(place.namespace(), name);
    }

    /** Whether a current or former object matches. */
    boolean matchesIfPresent(@Nullable ObjectNode object) {
        return object != null && matches(object);
    }
}
