package main

import (
	"reflect"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// otherKinds are those that hosted clusters serve only where they are wanted; most servers never read their table.
var otherKinds = []kindsOfVersion{
	{"v1", []any{
		corev1.Node{}, corev1.NodeList{}, corev1.PersistentVolumeClaim{}, corev1.PersistentVolumeClaimList{},
		corev1.PersistentVolume{}, corev1.PersistentVolumeList{}, corev1.Pod{}, corev1.PodList{}, corev1.PodTemplate{},
		corev1.PodTemplateList{}, corev1.ReplicationController{}, corev1.ReplicationControllerList{},
	}},
	{"admissionregistration.k8s.io/v1", []any{
		admissionregistrationv1.MutatingAdmissionPolicy{}, admissionregistrationv1.MutatingAdmissionPolicyList{},
		admissionregistrationv1.MutatingAdmissionPolicyBinding{}, admissionregistrationv1.MutatingAdmissionPolicyBindingList{},
		admissionregistrationv1.MutatingWebhookConfiguration{}, admissionregistrationv1.MutatingWebhookConfigurationList{},
		admissionregistrationv1.ValidatingAdmissionPolicy{}, admissionregistrationv1.ValidatingAdmissionPolicyList{},
		admissionregistrationv1.ValidatingAdmissionPolicyBinding{}, admissionregistrationv1.ValidatingAdmissionPolicyBindingList{},
		admissionregistrationv1.ValidatingWebhookConfiguration{}, admissionregistrationv1.ValidatingWebhookConfigurationList{},
	}},
	{"apiregistration.k8s.io/v1", []any{apiregistrationv1.APIService{}, apiregistrationv1.APIServiceList{}}},
	{"apps/v1", []any{
		appsv1.ControllerRevision{}, appsv1.ControllerRevisionList{}, appsv1.DaemonSet{}, appsv1.DaemonSetList{},
		appsv1.Deployment{}, appsv1.DeploymentList{}, appsv1.ReplicaSet{}, appsv1.ReplicaSetList{}, appsv1.StatefulSet{},
		appsv1.StatefulSetList{},
	}},
	{"autoscaling/v1", []any{autoscalingv1.HorizontalPodAutoscaler{}, autoscalingv1.HorizontalPodAutoscalerList{}}},
	{"autoscaling/v2", []any{autoscalingv2.HorizontalPodAutoscaler{}, autoscalingv2.HorizontalPodAutoscalerList{}}},
	{"batch/v1", []any{batchv1.CronJob{}, batchv1.CronJobList{}, batchv1.Job{}, batchv1.JobList{}}},
	{"certificates.k8s.io/v1", []any{
		certificatesv1.CertificateSigningRequest{}, certificatesv1.CertificateSigningRequestList{},
	}},
	{"flowcontrol.apiserver.k8s.io/v1", []any{
		flowcontrolv1.FlowSchema{}, flowcontrolv1.FlowSchemaList{}, flowcontrolv1.PriorityLevelConfiguration{},
		flowcontrolv1.PriorityLevelConfigurationList{},
	}},
	{"networking.k8s.io/v1", []any{
		networkingv1.Ingress{}, networkingv1.IngressList{}, networkingv1.IngressClass{}, networkingv1.IngressClassList{},
		networkingv1.IPAddress{}, networkingv1.IPAddressList{}, networkingv1.NetworkPolicy{}, networkingv1.NetworkPolicyList{},
		networkingv1.ServiceCIDR{}, networkingv1.ServiceCIDRList{},
	}},
	{"node.k8s.io/v1", []any{nodev1.RuntimeClass{}, nodev1.RuntimeClassList{}}},
	{"policy/v1", []any{policyv1.PodDisruptionBudget{}, policyv1.PodDisruptionBudgetList{}, policyv1.Eviction{}}},
	{"resource.k8s.io/v1", []any{
		resourcev1.DeviceClass{}, resourcev1.DeviceClassList{}, resourcev1.ResourceClaim{}, resourcev1.ResourceClaimList{},
		resourcev1.ResourceClaimTemplate{}, resourcev1.ResourceClaimTemplateList{}, resourcev1.ResourceSlice{},
		resourcev1.ResourceSliceList{},
	}},
	{"scheduling.k8s.io/v1", []any{schedulingv1.PriorityClass{}, schedulingv1.PriorityClassList{}}},
	{"storage.k8s.io/v1", []any{
		storagev1.CSIDriver{}, storagev1.CSIDriverList{}, storagev1.CSINode{}, storagev1.CSINodeList{},
		storagev1.CSIStorageCapacity{}, storagev1.CSIStorageCapacityList{}, storagev1.StorageClass{},
		storagev1.StorageClassList{}, storagev1.VolumeAttachment{}, storagev1.VolumeAttachmentList{},
		storagev1.VolumeAttributesClass{}, storagev1.VolumeAttributesClassList{},
	}},
}

// annotated are structs that are sent as the text of an annotation alone.
var annotated = []any{
	autoscalingv1.HorizontalPodAutoscalerCondition{}, autoscalingv1.MetricSpec{}, autoscalingv1.MetricStatus{},
}

// typesOf are the structs of some kinds, with what the table says of those that are kinds.
func typesOf(versions []kindsOfVersion) map[reflect.Type]string {
	types := map[reflect.Type]string{}
	for _, version := range versions {
		for _, object := range version.objects {
			t := reflect.TypeOf(object)
			reach(types, t)
			types[t] = " = " + version.apiVersion + " " + t.Name()
		}
	}
	return types
}
