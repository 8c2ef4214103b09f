package io.fairlead.gateway;

import io.fairlead.model.Supervised;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What runs in a gateway, found by walking over the objects that it is made of: so a part that is added is found without being
 * named here.
 */
final class RunningParts {
    private final Set<ExecutorService> executors = new LinkedHashSet<>();
    private final Set<Supervised> supervised = new LinkedHashSet<>();
    private final Set<Thread> threads = new LinkedHashSet<>();
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> toSee = new ArrayDeque<>();

    private RunningParts() {}

    static RunningParts of(Object whole) {
        RunningParts parts = new RunningParts();
        parts.see(whole);
        while (!parts.toSee.isEmpty()) {
            parts.look(parts.toSee.pop());
        }
        return parts;
    }

    /** Every part of a type. */
    <T> List<T> all(Class<T> type) {
        return seen.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** Event loops among them. */
    Set<ExecutorService> executors() {
        return executors;
    }

    Set<Supervised> supervised() {
        return supervised;
    }

    /** Those that parts hold themselves. */
    Set<Thread> threads() {
        return threads;
    }

    private void see(@Nullable Object part) {
        if (part != null && seen.add(part)) {
            toSee.push(part);
        }
    }

    private void look(Object part) {
        switch (part) {
            case ExecutorService executor -> executors.add(executor);
            case Thread thread -> threads.add(thread);
            case Collection<?> many -> many.forEach(this::see);
            case Map<?, ?> map -> {
                map.keySet().forEach(this::see);
                map.values().forEach(this::see);
            }
            case AtomicReference<?> reference -> see(reference.get());
            case Object[] array -> {
                for (int i = 0; i < Array.getLength(array); i++) {
                    see(array[i]);
                }
            }
            default -> {
                if (part instanceof Supervised work) {
                    supervised.add(work);
                }
                if (part.getClass().getName().startsWith("io.fairlead.")) {
                    lookInto(part);
                }
            }
        }
    }

    private void lookInto(Object part) {
        for (Class<?> type = part.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (type.getName().startsWith("io.fairlead.")
                        && !Modifier.isStatic(field.getModifiers())
                        && !field.getType().isPrimitive()) {
                    see(value(field, part));
                }
            }
        }
    }

    private static @Nullable Object value(Field field, Object part) {
        try {
            field.setAccessible(true);
            return field.get(part);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
