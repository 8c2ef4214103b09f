package io.fairlead.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class UserInfoTest {
    @Test
    @Timeout(10)
    void extra_whoseKeysHashAlike_isCopiedAtOnce() {
        Map<String, List<String>> extra = new HashMap<>();
        for (int i = 0; i < 60_000; i++) {
            extra.put(Integer.toBinaryString(1 << 16 | i).replace("0", "Aa").replace("1", "BB"), List.of());
        }

        assertThat(new UserInfo("u", "", List.of(), extra).extra()).hasSize(60_000);
    }
}
