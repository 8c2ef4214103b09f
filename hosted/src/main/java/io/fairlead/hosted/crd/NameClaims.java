package io.fairlead.hosted.crd;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.crd.CustomResourceDefinition;
import io.fairlead.schema.crd.CustomResourceDefinition.Names;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which names of a definition are free in its group (apiextensions {@code controller/status/naming_controller.go}).
 *
 * <p>Resource names, singular and short ones included, share one space; kinds and list kinds share another. Names
 * accepted for other definitions, and names of built-in kinds, are taken.
 */
public final class NameClaims {
    private final ObjectNode accepted = Json.object();
    private final Predicate<String> takenResources;
    private final Predicate<String> takenKinds;
    private String reason = "NoConflicts";
    private String message = "no conflicts found";

    private NameClaims(CustomResourceDefinition definition, AcceptedNames others) {
        this.takenResources = name -> others.isResourceTaken(definition, name);
        this.takenKinds = name -> others.isKindTaken(definition, name);
    }

    /** The free names of a definition. */
    public static NameClaims of(CustomResourceDefinition definition, AcceptedNames others) {
        NameClaims claims = new NameClaims(definition, others);
        claims.judge(definition.names(), definition.status().acceptedNames());
        return claims;
    }

    /** The names for discovery: the wanted ones that are free, otherwise those accepted before. */
    public ObjectNode accepted() {
        return accepted;
    }

    public boolean areAccepted() {
        return reason.equals("NoConflicts");
    }

    public String reason() {
        return reason;
    }

    public String message() {
        return message;
    }

    private void judge(Names wanted, Names before) {
        claim("plural", wanted.plural(), before.plural(), takenResources, "PluralConflict");
        claim("singular", wanted.singular(), before.singular(), takenResources, "SingularConflict");
        claimShortNames(wanted, before);
        claim("kind", wanted.kind(), before.kind(), takenKinds, "KindConflict");
        claim("listKind", wanted.listKind(), before.listKind(), takenKinds, "ListKindConflict");
        Meta.setStrings(accepted, "categories", wanted.categories());
    }

    private void claim(String field, String wanted, String before, Predicate<String> taken, String conflict) {
        boolean free = wanted.isEmpty() || !taken.test(wanted);
        String name = free ? wanted : before;
        if (!name.isEmpty() || field.equals("plural") || field.equals("kind")) {
            accepted.put(field, name);
        }
        if (!free) {
            refuse(conflict, "\"" + wanted + "\" is already in use");
        }
    }

    private void claimShortNames(Names wanted, Names before) {
        List<String> conflicts = new ArrayList<>();
        for (String name : wanted.shortNames()) {
            if (takenResources.test(name)) {
                conflicts.add("\"" + name + "\" is already in use");
            }
        }
        if (conflicts.isEmpty()) {
            Meta.setStrings(accepted, "shortNames", wanted.shortNames());
        } else {
            Meta.setStrings(accepted, "shortNames", before.shortNames());
            refuse("ShortNamesConflict", String.join(", ", conflicts));
        }
    }

    /** Reports the last conflict, as upstream does. */
    private void refuse(String conflict, String detail) {
        reason = conflict;
        message = detail;
    }
}
