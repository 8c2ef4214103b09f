package io.fairlead.fleet.informers;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;

/** Writes down what it is told: {@code seen web-0 5}. */
class Told implements ObjectListener {
    final List<String> lines = new CopyOnWriteArrayList<>();

    /** Of the events and lists, the versions of the objects that are there. */
    List<String> seen() {
        return lines.stream()
                .filter(line -> line.startsWith("seen "))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .toList();
    }

    @Override
    public void listing() {
        lines.add("listing");
    }

    @Override
    public void seen(JsonNode object) {
        lines.add("seen " + nameAndVersion(object));
    }

    @Override
    public void removed(JsonNode object) {
        lines.add("removed " + nameAndVersion(object));
    }

    @Override
    public void listed(String resourceVersion) {
        lines.add("listed " + resourceVersion);
    }

    private static String nameAndVersion(JsonNode object) {
        return object.at("/metadata/name").asString("") + " "
                + object.at("/metadata/resourceVersion").asString("");
    }
}
