package io.fairlead.hosted.cluster;

import io.fairlead.storage.RevisionedStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A store that a test listens in on, and makes fail. */
final class InterceptedStore {
    private InterceptedStore() {}

    /** Hears of a call before it is made, and may throw instead; or after it was made. */
    @FunctionalInterface
    interface Hook {
        void hear(String method, Object[] arguments);
    }

    static RevisionedStore of(RevisionedStore store, Hook hook) {
        return of(store, hook, (_, _) -> {});
    }

    static RevisionedStore of(RevisionedStore store, Hook before, Hook after) {
        return (RevisionedStore) Proxy.newProxyInstance(
                InterceptedStore.class.getClassLoader(), new Class<?>[] {RevisionedStore.class}, (_, method, given) -> {
                    Object[] arguments = given == null ? new Object[0] : given;
                    before.hear(method.getName(), arguments);
                    try {
                        Object result = method.invoke(store, arguments);
                        after.hear(method.getName(), arguments);
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
