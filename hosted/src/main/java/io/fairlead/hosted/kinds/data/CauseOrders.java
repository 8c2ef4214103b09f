package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.field.FieldError;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.JsonResources;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.Struct;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** In which order kube-apiserver tells of what is wrong with the fields of a type: {@code cause-orders.yaml}. */
final class CauseOrders {
    private static final String RESOURCE = "cause-orders.json";
    private static final Map<String, List<String>> ORDERS = read();
    private static final int INDEX_DIGITS_MAX = 9;

    private CauseOrders() {}

    /** Whether the order of the problems of a type is not that in which they are found. */
    static boolean has(Struct type) {
        return ORDERS.containsKey(type.name());
    }

    /** The order of the problems in an object that stands at a path. */
    static Comparator<FieldError> below(Struct type, FieldPath path) {
        int start = path.text().length();
        return Comparator.comparing(error -> ranks(type, error.field(), start), CauseOrders::compare);
    }

    /** The ranks of the fields and the indexes of the items on the way to a field, for as long as types have an order. */
    private static List<Integer> ranks(Struct root, String field, int start) {
        List<Integer> ranks = new ArrayList<>();
        int at = start;
        for (@Nullable Struct type = root; type != null && at < field.length(); ) {
            List<String> order = ORDERS.get(type.name());
            if (order == null) {
                break;
            }
            int from = field.charAt(at) == '.' ? at + 1 : at;
            ranks.add(rank(order, field, from));
            int end = endOfName(field, from);
            Field member = type.field(field.substring(from, end));
            GoType inner = member == null ? null : member.type();
            at = end;
            if (inner instanceof ListOf list && end < field.length() && field.charAt(end) == '[') {
                int close = field.indexOf(']', end);
                ranks.add(index(field.substring(end + 1, close)));
                inner = list.element();
                at = close + 1;
            }
            type = inner instanceof Struct struct ? struct : null;
        }
        return ranks;
    }

    /** The place in an order of the longest of its paths that leads to a field; the last if there is none. */
    private static int rank(List<String> order, String field, int from) {
        int rank = order.size();
        int longest = 0;
        for (int i = 0; i < order.size(); i++) {
            String path = order.get(i);
            int end = from + path.length();
            boolean leads = field.startsWith(path, from)
                    && (end == field.length() || field.charAt(end) == '.' || field.charAt(end) == '[');
            if (leads && path.length() > longest) {
                rank = i;
                longest = path.length();
            }
        }
        return rank;
    }

    private static int endOfName(String field, int from) {
        int end = from;
        while (end < field.length() && field.charAt(end) != '.' && field.charAt(end) != '[') {
            end++;
        }
        return end;
    }

    private static int index(String text) {
        boolean isIndex = text.length() <= INDEX_DIGITS_MAX && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return isIndex && !text.isEmpty() ? Integer.parseInt(text) : 0;
    }

    private static int compare(List<Integer> one, List<Integer> other) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int order = Integer.compare(one.get(i), other.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static Map<String, List<String>> read() {
        Map<String, List<String>> orders = new HashMap<>();
        JsonResources.read(CauseOrders.class, RESOURCE)
                .forEachEntry((type, order) -> orders.put(ApiTypes.named(type).name(), Meta.strings(order)));
        return orders;
    }
}
