package io.fairlead.hosted.objects;

import tools.jackson.databind.node.ObjectNode;

/**
 * A configuration to apply.
 *
 * @param object what the object shall be like; its name and namespace are those of the path
 * @param force whether to take the fields that others manage
 * @param checks of it, once it can be applied; throws to refuse
 */
public record AppliedConfiguration(ObjectNode object, boolean force, Runnable checks) {}
