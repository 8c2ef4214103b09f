package io.fairlead.hosted.objects;

/**
 * The permission to create what an update finds missing; either part throws to refuse.
 *
 * @param early run before any gate is passed, of an object that is not judged yet; can block for long
 * @param late run once the object has passed all checks, as kube-apiserver does; must not block
 */
public record CreationPermission(Runnable early, Runnable late) {
    /** One that another cluster gives. */
    public static CreationPermission asked(Runnable question) {
        return new CreationPermission(question, () -> {});
    }

    /** One that is known here. */
    public static CreationPermission known(Runnable check) {
        return new CreationPermission(() -> {}, check);
    }
}
