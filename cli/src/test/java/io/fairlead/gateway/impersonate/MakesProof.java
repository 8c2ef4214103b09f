package io.fairlead.gateway.impersonate;

import io.fairlead.gateway.enter.Entered;
import io.fairlead.model.UserInfo;
import java.util.function.BiFunction;

/** Makes on purpose what proves that a request passed this stage: the rule must name it. */
final class MakesProof {
    private MakesProof() {}

    static BiFunction<Entered, UserInfo, Acting> byReference() {
        return Acting::new;
    }
}
