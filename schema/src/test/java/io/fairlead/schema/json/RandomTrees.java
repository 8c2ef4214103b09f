package io.fairlead.schema.json;

import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Random trees of one seed. */
public final class RandomTrees {
    private static final String[] KEYS = {"a", "b", "spec", "é", "with space", "x/y~z", "\"", "", "😀", "\u0000"};

    private final Random random;

    public RandomTrees(long seed) {
        this.random = new Random(seed);
    }

    /** The next tree, at most five levels deep. */
    public JsonNode next() {
        return value(5);
    }

    private JsonNode value(int depth) {
        return switch (random.nextInt(depth == 0 ? 6 : 8)) {
            case 0 -> Json.nodes().nullNode();
            case 1 -> Json.nodes().booleanNode(random.nextBoolean());
            case 2 -> Json.nodes().numberNode(random.nextLong() >> random.nextInt(64));
            case 3 -> fraction();
            case 4, 5 -> Json.nodes().stringNode(KEYS[random.nextInt(KEYS.length)] + random.nextInt(3));
            case 6 -> array(depth - 1);
            default -> object(depth - 1);
        };
    }

    /** No integral value: that would be read back as an integer. */
    private JsonNode fraction() {
        double value = Double.longBitsToDouble(random.nextLong());
        boolean readAsInteger = !Double.isFinite(value) || (value == Math.rint(value) && Math.abs(value) < 1e21);
        return Json.nodes().numberNode(readAsInteger ? 0.5 + random.nextInt(9) : value);
    }

    private ArrayNode array(int depth) {
        ArrayNode array = Json.array();
        for (int i = random.nextInt(4); i > 0; i--) {
            array.add(value(depth));
        }
        return array;
    }

    private ObjectNode object(int depth) {
        ObjectNode object = Json.object();
        for (int i = random.nextInt(5); i > 0; i--) {
            object.set(KEYS[random.nextInt(KEYS.length)], value(depth));
        }
        return object;
    }
}
