package io.fairlead.hosted.cluster;

import io.fairlead.storage.RevisionedStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A store that a test listens in on, and makes fail. */
final class InterceptedStore {
    private InterceptedStore() {}

    /** Hears of a call before it is made, and may throw instead. */
    @FunctionalInterface
    interface Hook {
        void before(String method, Object[] arguments);
    }

    static RevisionedStore of(RevisionedStore store, Hook hook) {
        return (RevisionedStore) Proxy.newProxyInstance(
                InterceptedStore.class.getClassLoader(), new Class<?>[] {RevisionedStore.class}, (_, method, given) -> {
                    Object[] arguments = given == null ? new Object[0] : given;
                    hook.before(method.getName(), arguments);
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
