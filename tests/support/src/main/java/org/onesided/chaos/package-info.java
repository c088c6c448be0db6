/**
 * A device that wraps another and does all that the verbs allow but hardware does rarely: for tests only. {@link
 * org.onesided.chaos.FaultPlan} says what it does.
 */
package org.onesided.chaos;
