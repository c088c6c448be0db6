/**
 * Types of the API that the packages behind it use as well: callbacks and settings that an application hands in, and
 * what it is told of the server and of the client's work. They depend on no other package of the client.
 */
package org.onesided.client.types;
