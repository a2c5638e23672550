/* A Vulkan layer that makes a software renderer look like a GPU with vertical sync: it
 * reports a discrete GPU, and vkAcquireNextImageKHR waits like a FIFO of three images in
 * front of a screen with FIFO_HZ refreshes per second (59.81 by default; 0 does not wait).
 *
 * With FIFO_LOG=FILE it appends one line per event, "seconds event details":
 *   target WxH        a colour target was created
 *   present MS        a picture was presented; MS is the time that its acquire waited
 *   shown             the refresh at which it becomes visible (written with the present)
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#define EXPORT __attribute__((visibility("default")))
#define NAME "VK_LAYER_tarsus_fifo"

static PFN_vkGetInstanceProcAddr next_instance_proc;
static PFN_vkGetDeviceProcAddr next_device_proc;
static PFN_vkGetPhysicalDeviceProperties next_properties;
static PFN_vkGetPhysicalDeviceProperties2 next_properties_2;
static PFN_vkAcquireNextImageKHR next_acquire;
static PFN_vkAcquireNextImage2KHR next_acquire_2;
static PFN_vkQueuePresentKHR next_present;
static PFN_vkCreateImage next_create_image;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *log_file;
static double interval = 1.0 / 59.81;
static double waited;
/* Refreshes that show the last two presented pictures. */
static double shown[2];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void set_up(void) {
  static int is_done;
  if (is_done) return;
  is_done = 1;
  const char *hertz = getenv("FIFO_HZ");
  if (hertz) interval = atof(hertz) > 0.0 ? 1.0 / atof(hertz) : 0.0;
  const char *path = getenv("FIFO_LOG");
  if (path && (log_file = fopen(path, "a"))) setvbuf(log_file, NULL, _IOLBF, 0);
}

/* Two pictures are displayed or queued, and a third image is being drawn: the next one is
 * free when the older of the two gives way to the newer. */
static void wait_for_image(void) {
  pthread_mutex_lock(&lock);
  double begin = now(), until = shown[0];
  pthread_mutex_unlock(&lock);
  if (interval > 0.0 && until > begin) {
    double seconds = until - begin;
    struct timespec rest = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&rest, NULL);
  }
  waited = now() - begin;
}

static VKAPI_ATTR VkResult VKAPI_CALL acquire(VkDevice device, VkSwapchainKHR swapchain,
    uint64_t timeout, VkSemaphore semaphore, VkFence fence, uint32_t *index) {
  wait_for_image();
  return next_acquire(device, swapchain, timeout, semaphore, fence, index);
}

static VKAPI_ATTR VkResult VKAPI_CALL acquire_2(
    VkDevice device, const VkAcquireNextImageInfoKHR *info, uint32_t *index) {
  wait_for_image();
  return next_acquire_2(device, info, index);
}

static VKAPI_ATTR VkResult VKAPI_CALL present(VkQueue queue, const VkPresentInfoKHR *info) {
  pthread_mutex_lock(&lock);
  double time = now(), refresh = time;
  if (interval > 0.0) {
    refresh = interval * (double)((long)(time / interval) + 1);
    if (refresh < shown[1] + 0.5 * interval) refresh = shown[1] + interval;
  }
  shown[0] = shown[1];
  shown[1] = refresh;
  if (log_file) {
    fprintf(log_file, "%.6f present %.3f\n", time, 1e3 * waited);
    fprintf(log_file, "%.6f shown\n", refresh);
  }
  pthread_mutex_unlock(&lock);
  return next_present(queue, info);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_image(VkDevice device,
    const VkImageCreateInfo *info, const VkAllocationCallbacks *allocator, VkImage *image) {
  if (log_file && info->usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
      && info->format == VK_FORMAT_R8G8B8A8_UNORM)
    fprintf(log_file, "%.6f target %ux%u\n", now(), info->extent.width, info->extent.height);
  return next_create_image(device, info, allocator, image);
}

static VKAPI_ATTR void VKAPI_CALL properties(
    VkPhysicalDevice adapter, VkPhysicalDeviceProperties *found) {
  next_properties(adapter, found);
  found->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
}

static VKAPI_ATTR void VKAPI_CALL properties_2(
    VkPhysicalDevice adapter, VkPhysicalDeviceProperties2 *found) {
  next_properties_2(adapter, found);
  found->properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
    const VkAllocationCallbacks *allocator, VkInstance *instance) {
  VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)info->pNext;
  while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO
                  || link->function != VK_LAYER_LINK_INFO))
    link = (VkLayerInstanceCreateInfo *)link->pNext;
  if (!link) return VK_ERROR_INITIALIZATION_FAILED;
  set_up();
  next_instance_proc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  PFN_vkCreateInstance create =
      (PFN_vkCreateInstance)next_instance_proc(VK_NULL_HANDLE, "vkCreateInstance");
  VkResult result = create(info, allocator, instance);
  if (result != VK_SUCCESS) return result;
  next_properties = (PFN_vkGetPhysicalDeviceProperties)next_instance_proc(
      *instance, "vkGetPhysicalDeviceProperties");
  next_properties_2 = (PFN_vkGetPhysicalDeviceProperties2)next_instance_proc(
      *instance, "vkGetPhysicalDeviceProperties2");
  if (!next_properties_2)
    next_properties_2 = (PFN_vkGetPhysicalDeviceProperties2)next_instance_proc(
        *instance, "vkGetPhysicalDeviceProperties2KHR");
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice adapter,
    const VkDeviceCreateInfo *info, const VkAllocationCallbacks *allocator, VkDevice *device) {
  VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)info->pNext;
  while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO
                  || link->function != VK_LAYER_LINK_INFO))
    link = (VkLayerDeviceCreateInfo *)link->pNext;
  if (!link) return VK_ERROR_INITIALIZATION_FAILED;
  PFN_vkGetInstanceProcAddr instance_proc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  next_device_proc = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  PFN_vkCreateDevice create = (PFN_vkCreateDevice)instance_proc(VK_NULL_HANDLE, "vkCreateDevice");
  VkResult result = create(adapter, info, allocator, device);
  if (result != VK_SUCCESS) return result;
  next_acquire =
      (PFN_vkAcquireNextImageKHR)next_device_proc(*device, "vkAcquireNextImageKHR");
  next_acquire_2 =
      (PFN_vkAcquireNextImage2KHR)next_device_proc(*device, "vkAcquireNextImage2KHR");
  next_present = (PFN_vkQueuePresentKHR)next_device_proc(*device, "vkQueuePresentKHR");
  next_create_image = (PFN_vkCreateImage)next_device_proc(*device, "vkCreateImage");
  return result;
}

static PFN_vkVoidFunction own(const char *name);

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice device, const char *name) {
  PFN_vkVoidFunction found = own(name);
  return found ? found : next_device_proc(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_proc(
    VkInstance instance, const char *name) {
  PFN_vkVoidFunction found = own(name);
  return found ? found : next_instance_proc(instance, name);
}

static PFN_vkVoidFunction own(const char *name) {
  static const struct {
    const char *name;
    PFN_vkVoidFunction function;
  } functions[] = {
      {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)instance_proc},
      {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)device_proc},
      {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
      {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
      {"vkGetPhysicalDeviceProperties", (PFN_vkVoidFunction)properties},
      {"vkGetPhysicalDeviceProperties2", (PFN_vkVoidFunction)properties_2},
      {"vkGetPhysicalDeviceProperties2KHR", (PFN_vkVoidFunction)properties_2},
      {"vkAcquireNextImageKHR", (PFN_vkVoidFunction)acquire},
      {"vkAcquireNextImage2KHR", (PFN_vkVoidFunction)acquire_2},
      {"vkQueuePresentKHR", (PFN_vkVoidFunction)present},
      {"vkCreateImage", (PFN_vkVoidFunction)create_image},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!strcmp(name, functions[i].name)) return functions[i].function;
  return NULL;
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(
    VkNegotiateLayerInterface *interface) {
  if (interface->loaderLayerInterfaceVersion > 2) interface->loaderLayerInterfaceVersion = 2;
  interface->pfnGetInstanceProcAddr = instance_proc;
  interface->pfnGetDeviceProcAddr = device_proc;
  interface->pfnGetPhysicalDeviceProcAddr = NULL;
  return VK_SUCCESS;
}
