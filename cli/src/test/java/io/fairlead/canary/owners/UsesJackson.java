package io.fairlead.canary.owners;

import tools.jackson.databind.JsonNode;

/** Reads JSON where there is none: the rule must name it. */
interface UsesJackson {
    JsonNode json();
}
